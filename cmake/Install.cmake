# What `./dev install PREFIX` lays down: the program, the library, its headers, and what a foreign
# CMake project finds with `find_package(goondan)`.
include(CMakePackageConfigHelpers)
install(TARGETS goondan EXPORT goondanTargets FILE_SET HEADERS)
install(TARGETS goondan_dependencies EXPORT goondanTargets)
install(EXPORT goondanTargets NAMESPACE goondan:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/goondan)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/goondanConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/goondanConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/goondanConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/goondan)
# What runs JavaScript and TypeScript of bundles, and the types that these are written against.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/script-host/ DESTINATION ${CMAKE_INSTALL_DATADIR}/goondan/script-host)
