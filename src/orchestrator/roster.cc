#include "orchestrator/roster.h"

#include <algorithm>
#include <utility>

#include "base/ids.h"
#include "base/json_fields.h"
#include "orchestrator/payloads.h"
#include "orchestrator/swarm_names.h"

namespace goondan::orchestrator {
namespace {

constexpr std::size_t kMaxCwdBytes = 4'096;
constexpr std::size_t kSpawnedKeyBytes = 6;  // twelve hex digits

store::InstanceRecord new_record(const InstanceName& name, const InstanceName& owner) {
  return {.agent = name.agent,
          .instance_key = name.key,
          .owner_agent = owner.agent,
          .owner_instance_key = owner.key,
          .created_at = iso_now()};
}

Result<std::string> checked_cwd(const JsonObject& params) {
  std::string cwd = text_field(params, "cwd");
  if (cwd.size() <= kMaxCwdBytes && cwd.find('\0') == std::string::npos) return cwd;
  return Error{.code = ErrorCode::PathInvalid,
               .message = "'cwd' is no path: " + std::to_string(cwd.size()) + " bytes",
               .suggestion = "Give the path of a folder, absolute or relative to the bundle."};
}

}  // namespace

void Roster::note(Instance& instance, const InstanceName& owner) {
  if (instance.record) return;
  store::InstanceRecord record = new_record(instance.name, owner);
  if (const Result<void> put = board_.journal.put_instance(record); !put.ok()) {
    board_.out.problem(instance.name, {}, put.error());
    return;
  }
  instance.record = std::move(record);
}

Result<Json> Roster::spawn(const JsonObject& params, std::string_view target,
                           const InstanceName* owner) {
  GDN_TRY(check_agent(board_.swarm, target));
  const std::string made = std::string(target) + "-" + random_hex(kSpawnedKeyBytes);
  const std::string key = GDN_TRY(checked_key(text_field(params, "instanceKey"), made));
  const std::string cwd = GDN_TRY(checked_cwd(params));
  const InstanceName name{std::string(target), key};
  const Instance* known = board_.queues.find(name);
  const bool is_new = known == nullptr || !known->record;
  store::InstanceRecord record =
      is_new ? new_record(name, owner == nullptr ? name : *owner) : *known->record;
  if (!cwd.empty()) record.cwd = cwd;
  if (is_new || !cwd.empty()) GDN_TRY(board_.journal.put_instance(record));
  Instance& instance = board_.queues.at(name);
  instance.record = record;
  instance.unstartable = false;
  board_.queues.recount(instance);
  if (instance.presence == Presence::Absent && !board_.quiesced) board_.out.want(instance);
  return JsonObject{{"target", target},
                    {"instanceKey", key},
                    {"spawned", is_new},
                    {"cwd", record.cwd.empty() ? Json(nullptr) : Json(record.cwd)}};
}

Json Roster::list(const InstanceName& owner, Scope scope) const {
  ListReply reply("agents");
  for (const store::InstanceRecord& record : records()) {
    const InstanceName name{record.agent, record.instance_key};
    const InstanceName its_owner{record.owner_agent, record.owner_instance_key};
    if (scope == Scope::All || (its_owner == owner && name != owner)) {
      reply.add(instance_json(record));
    }
  }
  return reply.take();
}

std::vector<store::InstanceRecord> Roster::records() const {
  std::vector<store::InstanceRecord> records;
  for (const auto& [name, instance] : board_.queues.all()) {
    if (instance.record) records.push_back(*instance.record);
  }
  std::ranges::stable_sort(records, {}, &store::InstanceRecord::created_at);
  return records;
}

}  // namespace goondan::orchestrator
