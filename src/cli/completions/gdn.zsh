#compdef gdn
# zsh completion for gdn:  gdn completion zsh > "${fpath[1]}/_gdn"
_gdn() {
  local -a commands=(
    'call:run one tool with no model'
    'run:run a swarm of agents'
    'tools:list the tools of a bundle'
    'validate:check a bundle'
    'init:make a new bundle'
    'new:make a new tool'
    'ps:show the swarms that run'
    'logs:show what agents did'
    'trace:show where the time went'
    'instance:list or delete conversations'
    'restart:restart a running swarm'
    'handles:pending results'
    'bundle:the history of a bundle'
    'auth:connect applications (OAuth)'
    'mcp:try MCP servers'
    'doctor:check this machine'
    'explain:explain an error code'
    'completion:print a completion script'
  )
  local -a where=(--bundle --swarm --workspace --state-root)
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
    call)
      if (( CURRENT == 3 )); then
        compadd -- ${(f)"$(gdn tools --names 2>/dev/null)"}
      else
        compadd -- --input --bundle --workdir --subject --origin --timeout-ms --json
      fi
      ;;
    tools) compadd -- ${(f)"$(gdn tools --names 2>/dev/null)"} --bundle --agent --json --format --names ;;
    run) compadd -- --swarm --agent --instance-key --watch --json --wait-handles --wait-auth --subject --origin --env-file --state-root; _files -/ ;;
    ps) compadd -- --json $where ;;
    logs) compadd -- --follow --lines --agent --instance-key --trace --json $where ;;
    trace) compadd -- last --format --limit --json $where ;;
    instance) compadd -- list delete --agent --json $where ;;
    restart) compadd -- --agent --fresh $where ;;
    handles) compadd -- list wait complete cancel --output --error --timeout-ms --json $where ;;
    auth)
      if (( CURRENT == 3 )); then
        compadd -- login list status logout rotate-key
      else
        compadd -- --subject --scope --timeout --no-browser --all --json --bundle --env-file --allow-host --state-root
      fi
      ;;
    bundle) compadd -- log diff rollback --bundle --limit --message --json; _files -/ ;;
    mcp)
      if (( CURRENT == 3 )); then
        compadd -- list tools call resources read prompts prompt approve import
      elif [ "$words[3]" = import ]; then
        compadd -- --bundle --output --name
        _files
      else
        compadd -- --bundle --env-file --state-root --timeout-ms --json --names --header --env --era --input --workdir --elicit --sample --roots --all
      fi
      ;;
    validate) _arguments '--strict' '--format[how to report]:format:(text json github)' '*:folder:_files -/' ;;
    init) _arguments '--name[name of the package]:name' '--force' '--git' '--no-git' '*:folder:_files -/' ;;
    new) compadd -- tool --lang --bundle --force ;;
    doctor) compadd -- --json ;;
    explain) compadd -- ${(f)"$(gdn explain --names 2>/dev/null)"} ;;
    completion) compadd -- bash zsh fish ;;
  esac
}
if [ "$funcstack[1]" = "_gdn" ]; then
  _gdn "$@"
else
  compdef _gdn gdn
fi
