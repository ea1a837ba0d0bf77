# bash completion for gdn:  source <(gdn completion bash)
_gdn() {
  local current="${COMP_WORDS[COMP_CWORD]}"
  local previous="${COMP_WORDS[COMP_CWORD - 1]}"
  local command="${COMP_WORDS[1]}"
  local words=""
  local where="--bundle --swarm --workspace --state-root"
  case "$previous" in
    --bundle | --workdir | --state-root | --roots)
      COMPREPLY=($(compgen -d -- "$current"))
      return
      ;;
    --era)
      COMPREPLY=($(compgen -W "auto modern legacy" -- "$current"))
      return
      ;;
    --format)
      [ "$command" = validate ] && words="text json github"
      [ "$command" = tools ] && words="openai anthropic mcp"
      [ "$command" = trace ] && words="text json otlp"
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return
      ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="call run tools validate init new ps logs trace instance restart handles auth bundle mcp doctor explain completion --help --version"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$command" in
    mcp)
      words="--bundle --env-file --state-root --timeout-ms --json"
      [ "$COMP_CWORD" -eq 2 ] && words="list tools call resources read prompts prompt approve import"
      case "${COMP_WORDS[2]}" in
        call | read | prompt) words="$words --elicit --sample --roots" ;;
        approve) words="--bundle --env-file --state-root --timeout-ms --all" ;;
        import) words="--bundle --output --name $(compgen -f -- "$current")" ;;
      esac
      case "${COMP_WORDS[2]}" in
        call) words="$words --input --workdir" ;;
        tools) words="$words --names" ;;
      esac
      case "${COMP_WORDS[2]}" in
        tools | call | resources | read | prompts | prompt) words="$words --header --env --era" ;;
      esac
      ;;
    call)
      if [ "$COMP_CWORD" -eq 2 ]; then
        words="$(gdn tools --names 2>/dev/null)"
      else
        words="--input --bundle --workdir --subject --origin --timeout-ms --json"
      fi
      ;;
    tools) words="$(gdn tools --names 2>/dev/null) --bundle --agent --json --format --names" ;;
    run) words="--swarm --agent --instance-key --watch --json --wait-handles --wait-auth --subject --origin --env-file --state-root $(compgen -d -- "$current")" ;;
    ps) words="--json $where" ;;
    logs) words="--follow --lines --agent --instance-key --trace --json $where" ;;
    trace) words="last --format --limit --json $where" ;;
    instance) words="list delete --agent --json $where" ;;
    restart) words="--agent --fresh $where" ;;
    handles) words="list wait complete cancel --output --error --timeout-ms --json $where" ;;
    auth)
      words="--state-root --json"
      [ "$COMP_CWORD" -eq 2 ] && words="login list status logout rotate-key"
      case "${COMP_WORDS[2]}" in
        login) words="$words --subject --scope --timeout --no-browser --bundle --env-file --allow-host" ;;
        status) words="$words --subject" ;;
        logout) words="$words --subject --all --bundle --env-file --allow-host" ;;
        rotate-key) words="--state-root" ;;
      esac
      ;;
    bundle) words="log diff rollback --bundle --limit --message --json" ;;
    validate) words="--strict --format --json $(compgen -d -- "$current")" ;;
    init) words="--name --force --git --no-git $(compgen -d -- "$current")" ;;
    new) words="tool --lang --bundle --force" ;;
    doctor) words="--json" ;;
    explain) words="$(gdn explain --names 2>/dev/null) --json --names" ;;
    completion) words="bash zsh fish" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _gdn gdn
