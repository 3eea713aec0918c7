# What an installed kvcheck consists of: the program, the corpus, the C interface with its examples'
# helper, and the package kvcheck with the target kvcheck::suite.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(libraries kvcheck_types kvcheck_model kvcheck_oracles kvcheck_subject kvcheck_fast kvcheck_impl kvcheck_mutants
    kvcheck_foreign kvcheck_properties kvcheck_cli kvcheck_suite)
if(TARGET kvcheck_mpfr)
    list(APPEND libraries kvcheck_mpfr)
endif()
install(TARGETS kvcheck RUNTIME)
install(TARGETS ${libraries} EXPORT kvcheck ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/kvcheck)
install(EXPORT kvcheck NAMESPACE kvcheck:: FILE kvcheck-targets.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kvcheck)

install(DIRECTORY corpus DESTINATION ${CMAKE_INSTALL_DATADIR}/kvcheck)
install(FILES cli/kvcheck/suite.hpp impl/abi/kvcheck_plugin.h impl/abi/kvcheck_plugin_help.h
    DESTINATION include/kvcheck)
# The headers that suite.hpp needs, under the paths by which they include each other.
foreach(header cli/command_line.hpp impl/admission.hpp impl/catalogue.hpp impl/subject.hpp)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION include/kvcheck/internal/${folder})
endforeach()
install(DIRECTORY model/types DESTINATION include/kvcheck/internal/model FILES_MATCHING PATTERN "*.hpp")

configure_package_config_file(cmake/kvcheck-config.cmake.in kvcheck-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kvcheck)
write_basic_package_version_file(kvcheck-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/kvcheck-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/kvcheck-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kvcheck)
