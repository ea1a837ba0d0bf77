// The smallest MCP server that answers: what is measured against it is the client. It reads its
// lines by looking for what it needs, and trusts them.
#include <cstdio>
#include <iostream>
#include <string>

namespace {

std::string id_of(const std::string& line) {
  const std::size_t begin = line.find("\"id\":") + 5;
  return line.substr(begin, line.find_first_of(",}", begin) - begin);
}

std::string answer(const std::string& line) {
  if (line.find("\"tools/call\"") != std::string::npos)
    return R"("result":{"content":[{"type":"text","text":"hi"}]})";
  if (line.find("\"tools/list\"") != std::string::npos)
    return R"("result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]})";
  if (line.find("\"initialize\"") != std::string::npos)
    return R"("result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
           R"("serverInfo":{"name":"echo","version":"1"}})";
  return R"("error":{"code":-32601,"message":"no such method"})";
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.find("\"id\":") == std::string::npos) continue;
    const std::string reply =
        R"({"jsonrpc":"2.0","id":)" + id_of(line) + "," + answer(line) + "}\n";
    std::fwrite(reply.data(), 1, reply.size(), stdout);
    std::fflush(stdout);
  }
}
