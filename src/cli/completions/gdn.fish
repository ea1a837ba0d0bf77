# fish completion for gdn:  gdn completion fish > ~/.config/fish/completions/gdn.fish
complete -c gdn -f
complete -c gdn -n __fish_use_subcommand -a call -d 'run one tool with no model'
complete -c gdn -n __fish_use_subcommand -a tools -d 'list the tools of a bundle'
complete -c gdn -n __fish_use_subcommand -a validate -d 'check a bundle'
complete -c gdn -n __fish_use_subcommand -a init -d 'make a new bundle'
complete -c gdn -n __fish_use_subcommand -a new -d 'make a new tool'
complete -c gdn -n __fish_use_subcommand -a doctor -d 'check this machine'
complete -c gdn -n __fish_use_subcommand -a explain -d 'explain an error code'
complete -c gdn -n __fish_use_subcommand -a completion -d 'print a completion script'
complete -c gdn -n '__fish_seen_subcommand_from call tools' -a '(gdn tools --names 2>/dev/null)'
complete -c gdn -n '__fish_seen_subcommand_from call' -l input -x -d 'arguments as JSON'
complete -c gdn -n '__fish_seen_subcommand_from call' -l workdir -x -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from call' -l timeout-ms -x -d 'time limit'
complete -c gdn -n '__fish_seen_subcommand_from call tools new' -l bundle -x -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from call tools doctor explain' -l json
complete -c gdn -n '__fish_seen_subcommand_from tools' -l agent -x
complete -c gdn -n '__fish_seen_subcommand_from tools' -l format -x -a 'openai anthropic mcp'
complete -c gdn -n '__fish_seen_subcommand_from validate' -l strict
complete -c gdn -n '__fish_seen_subcommand_from validate' -l format -x -a 'text json github'
complete -c gdn -n '__fish_seen_subcommand_from validate init' -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from init' -l name -x
complete -c gdn -n '__fish_seen_subcommand_from init new' -l force
complete -c gdn -n '__fish_seen_subcommand_from new' -a tool
complete -c gdn -n '__fish_seen_subcommand_from new' -l lang -x -a cpp
complete -c gdn -n '__fish_seen_subcommand_from explain' -a '(gdn explain --names 2>/dev/null)'
complete -c gdn -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'
