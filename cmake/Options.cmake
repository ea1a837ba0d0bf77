# How everything of ours is compiled. Only targets carry it; nothing global but the standard.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# One way for libraries and programs alike, so that they can share precompiled headers.
add_compile_options(-fPIC)

set(CMAKE_CXX_FLAGS_RELEASE "-O2")
# The compiler collects its garbage less often: a tenth of the time for more memory, half a GB each.
add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:SHELL:--param ggc-min-expand=200 --param ggc-min-heapsize=262144>")

add_library(goondan_options INTERFACE)
target_compile_options(goondan_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  $<$<COMPILE_LANGUAGE:CXX>:-Wconversion -Wold-style-cast>
  # Designated initializers leave fields out on purpose; the other two are known false alarms of
  # GCC 12 in std::string at -O2 (GCC bugs 105329, 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-missing-field-initializers -Wno-restrict -Wno-stringop-overflow>)
if(GDN_SANITIZE)
  target_compile_options(goondan_options INTERFACE -fsanitize=${GDN_SANITIZE}
    -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(goondan_options INTERFACE -fsanitize=${GDN_SANITIZE})
endif()
if(GDN_FUZZ)
  target_compile_options(goondan_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(MOLD mold)
if(MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND GDN_DEVELOP)
  add_link_options(-fuse-ld=mold)
endif()
find_program(CCACHE ccache)
if(CCACHE AND GDN_DEVELOP)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  # ccache can only cache a file that uses a precompiled header if the compiler keeps this pragma.
  add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)
endif()
