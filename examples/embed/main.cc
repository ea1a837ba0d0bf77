#include <iostream>

#include <goondan/goondan.h>

goondan::Result<int> run(const char* path) {
  const goondan::Bundle bundle = GDN_TRY(goondan::Bundle::load(path));
  goondan::ToolRegistry registry;
  GDN_TRY(goondan::add_bundle_tools(registry, bundle));

  const goondan::ToolExecutor executor(registry);
  const goondan::ToolCatalog catalog(registry);
  const goondan::ToolCallResult result =
      executor.run(catalog, {.id = "1", .name = "text__uppercase", .input = {{"text", "hello"}}});
  std::cout << result.to_json() << '\n';
  return result.ok() ? 0 : 1;
}

int main(int argc, char** argv) {
  return argc == 2 ? goondan::exit_code(run(argv[1])) : 2;
}
