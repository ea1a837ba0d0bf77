# bash completion for gdn:  source <(gdn completion bash)
_gdn() {
  local current="${COMP_WORDS[COMP_CWORD]}"
  local previous="${COMP_WORDS[COMP_CWORD - 1]}"
  local command="${COMP_WORDS[1]}"
  local words=""
  case "$previous" in
    --bundle | --workdir)
      COMPREPLY=($(compgen -d -- "$current"))
      return
      ;;
    --format)
      [ "$command" = validate ] && words="text json github"
      [ "$command" = tools ] && words="openai anthropic mcp"
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return
      ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="call tools validate init new doctor explain completion --help --version"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$command" in
    call)
      if [ "$COMP_CWORD" -eq 2 ]; then
        words="$(gdn tools --names 2>/dev/null)"
      else
        words="--input --bundle --workdir --timeout-ms --json"
      fi
      ;;
    tools) words="$(gdn tools --names 2>/dev/null) --bundle --agent --json --format --names" ;;
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
