# find_package(goondan) gives
#   goondan::goondan   the library, for programs that load bundles and execute calls
#   goondan::plugin    what a native tool links
#   goondan_add_plugin(NAME sources...)   a native tool: NAME.so, exporting only what gdn needs
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(Boost 1.81)
find_library(GDN_RE2_LIBRARY NAMES libre2.a re2)
find_library(GDN_YAML_LIBRARY NAMES libyaml.a yaml)
find_library(GDN_CARES_LIBRARY NAMES libcares.a cares)
find_library(GDN_SQLITE_LIBRARY NAMES libsqlite3.a sqlite3)
find_library(GDN_SODIUM_LIBRARY NAMES libsodium.a sodium)
find_library(GDN_ZLIB_LIBRARY NAMES libz.a z)

include(${CMAKE_CURRENT_LIST_DIR}/goondanTargets.cmake)
target_link_libraries(goondan::goondan_dependencies INTERFACE
  Boost::headers ${GDN_RE2_LIBRARY} ${GDN_YAML_LIBRARY} ${GDN_CARES_LIBRARY} ${GDN_SQLITE_LIBRARY} ${GDN_SODIUM_LIBRARY} ${GDN_ZLIB_LIBRARY} m)

function(goondan_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE goondan::plugin)
  target_compile_features(${name} PRIVATE cxx_std_20)
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden)
endfunction()
