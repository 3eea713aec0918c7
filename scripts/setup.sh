# Sourced by the other scripts: installs what is missing, configures, builds. Debian 12 is what it
# knows; elsewhere it says which packages are wanted and goes on.

build_packages="g++ cmake ninja-build libboost-dev libeigen3-dev libfmt-dev libgtest-dev libgmock-dev
    librapidcheck-dev libhwy-dev nlohmann-json3-dev libcli11-dev libmpfr-dev"
test_packages="git python3 libbenchmark-dev clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14"

# install PACKAGE...: only those that are not there.
install() {
    local missing=()
    if ! command -v dpkg-query >/dev/null; then
        echo "no dpkg here; wanted (Debian names): $*"
        return
    fi
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "missing, and neither root nor sudo to install them: ${missing[*]}" >&2
            exit 2
        fi
        as_root=(sudo)
    fi
    echo "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
        "${missing[@]}" >/dev/null
}

# build PRESET [TARGET...]
build() {
    local preset=$1
    shift
    cmake --preset "$preset" >"build-$preset.log" 2>&1 || { cat "build-$preset.log"; return 1; }
    rm -f "build-$preset.log"
    cmake --build "build/$preset" ${1:+--target "$@"}
}

# Whichever python has PyTorch, the system's last; nothing where none has.
python_with_torch() {
    local candidate
    for candidate in python3 /usr/bin/python3; do
        command -v $candidate >/dev/null && $candidate -c 'import torch' 2>/dev/null || continue
        echo $candidate
        return
    done
}
