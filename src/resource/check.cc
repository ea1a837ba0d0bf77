#include "resource/check.h"

#include <memory>
#include <utility>

#include "resource/contents.h"
#include "resource/cross_checks.h"
#include "resource/envelope.h"
#include "resource/limits.h"
#include "resource/readers.h"
#include "resource/reading.h"
#include "resource/yaml_parse.h"

namespace goondan {
namespace {

// The files of a bundle while it is checked; places point into them.
struct Sources {
  std::vector<std::unique_ptr<const SourceText>> texts;
  std::vector<yaml::ParsedFile> files;
  bool complete = true;
};

Sources parse_all(std::vector<SourceFile> files, Diagnostics& diagnostics) {
  Sources sources;
  yaml::NodeBudget budget;
  for (SourceFile& file : files) {
    if (file.text.size() > kMaxFileBytes) {
      diagnostics.file_error(file.name, ErrorCode::ConfigFileTooLarge,
                             "the file has " + std::to_string(file.text.size()) + " bytes; " +
                                 std::to_string(kMaxFileBytes) + " are allowed",
                             "Split it into several files.");
      sources.complete = false;
      continue;
    }
    const SourceText& text =
        *sources.texts.emplace_back(std::make_unique<const SourceText>(std::move(file)));
    sources.files.push_back(yaml::parse_file(text, budget, diagnostics));
    sources.complete = sources.complete && sources.files.back().complete;
  }
  return sources;
}

template <class T>
using Reader = T (*)(ResourceMeta, const Place&, ReadContext&);

template <class T>
void read_into(std::vector<Located<T>>& resources, Reader<T> reader, Envelope envelope,
               const Place& root, ReadContext& context) {
  T resource = envelope.spec ? reader(std::move(envelope.meta), *envelope.spec, context)
                             : T{.meta = std::move(envelope.meta)};
  resources.push_back({.resource = std::move(resource), .root = root});
}

void read_resource(Envelope envelope, const Place& root, Reading& reading, ReadContext& context) {
  switch (envelope.meta.kind) {
    case Kind::Package:
      return read_into(reading.packages, read_package, std::move(envelope), root, context);
    case Kind::Model:
      return read_into(reading.models, read_model, std::move(envelope), root, context);
    case Kind::Agent:
      return read_into(reading.agents, read_agent, std::move(envelope), root, context);
    case Kind::Swarm:
      return read_into(reading.swarms, read_swarm, std::move(envelope), root, context);
    case Kind::Tool:
      return read_into(reading.tools, read_tool, std::move(envelope), root, context);
    case Kind::Extension:
      return read_into(reading.extensions, read_extension, std::move(envelope), root, context);
    case Kind::Connector:
      return read_into(reading.connectors, read_connector, std::move(envelope), root, context);
    case Kind::Connection:
      return read_into(reading.connections, read_connection, std::move(envelope), root, context);
    case Kind::OAuthApp:
      return read_into(reading.oauth_apps, read_oauth_app, std::move(envelope), root, context);
  }
}

void read_all(const Sources& sources, const BundleFiles& entries, Reading& reading,
              Diagnostics& diagnostics) {
  ReadContext context{
      .diagnostics = diagnostics, .files = entries, .references = reading.references};
  for (const yaml::ParsedFile& file : sources.files) {
    for (const SourceDocument& document : file.documents) {
      if (document.broken) {
        declare_broken(document, reading.declarations);
        continue;
      }
      std::optional<Envelope> envelope = read_envelope(document, reading.declarations, diagnostics);
      if (!envelope) continue;
      read_resource(std::move(*envelope), Place::root(document), reading, context);
    }
  }
}

// Says what is missing altogether; nobody can know if some of the text could not be read.
void check_presence(const Reading& reading, const Sources& sources, Diagnostics& diagnostics) {
  const std::string file = sources.texts.empty() ? "" : sources.texts.front()->name();
  std::size_t documents = 0;
  for (const yaml::ParsedFile& parsed : sources.files)
    documents += parsed.documents.size();
  if (!sources.complete) return;
  if (documents == 0) {
    if (diagnostics.errors() > 0) return;
    diagnostics.file_error(file, ErrorCode::ConfigKindMissing, "the bundle declares nothing",
                           "Add a document with `apiVersion`, `kind`, `metadata` and `spec`.");
  } else if (reading.swarms.empty()) {
    diagnostics.file_warning(file, ErrorCode::ConfigSwarmMissing,
                             "the bundle has no Swarm, so it cannot be run",
                             "Add one to run agents; single tools can be called without.");
  }
}

template <class T>
std::vector<T> resources_of(std::vector<Located<T>> located) {
  std::vector<T> resources;
  resources.reserve(located.size());
  for (Located<T>& each : located)
    resources.push_back(std::move(each.resource));
  return resources;
}

Bundle make_bundle(Reading reading, std::filesystem::path root) {
  auto contents = std::make_shared<Bundle::Contents>();
  contents->root = std::move(root);
  if (!reading.packages.empty()) contents->package = std::move(reading.packages.front().resource);
  contents->models = resources_of(std::move(reading.models));
  contents->agents = resources_of(std::move(reading.agents));
  contents->swarms = resources_of(std::move(reading.swarms));
  contents->tools = resources_of(std::move(reading.tools));
  contents->extensions = resources_of(std::move(reading.extensions));
  contents->connectors = resources_of(std::move(reading.connectors));
  contents->connections = resources_of(std::move(reading.connections));
  contents->oauth_apps = resources_of(std::move(reading.oauth_apps));
  return Bundle(std::move(contents));
}

}  // namespace

BundleReport check_bundle_files(std::vector<SourceFile> files, const BundleFiles& entries,
                                std::filesystem::path root, Diagnostics diagnostics) {
  const Sources sources = parse_all(std::move(files), diagnostics);
  Reading reading;
  read_all(sources, entries, reading, diagnostics);
  check_packages(reading, diagnostics);
  check_references(reading.references, reading.declarations, diagnostics);
  check_visible_names(reading, diagnostics);
  check_mcp_names(reading, diagnostics);
  check_scopes(reading, diagnostics);
  check_membership(reading, diagnostics);
  check_required_tools(reading, diagnostics);
  check_presence(reading, sources, diagnostics);

  BundleReport report;
  if (diagnostics.errors() == 0) report.bundle = make_bundle(std::move(reading), std::move(root));
  report.diagnostics = std::move(diagnostics).take();
  return report;
}

}  // namespace goondan
