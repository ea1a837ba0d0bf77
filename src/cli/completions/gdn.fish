# fish completion for gdn:  gdn completion fish > ~/.config/fish/completions/gdn.fish
complete -c gdn -f
complete -c gdn -n __fish_use_subcommand -a call -d 'run one tool with no model'
complete -c gdn -n __fish_use_subcommand -a run -d 'run a swarm of agents'
complete -c gdn -n __fish_use_subcommand -a tools -d 'list the tools of a bundle'
complete -c gdn -n __fish_use_subcommand -a validate -d 'check a bundle'
complete -c gdn -n __fish_use_subcommand -a init -d 'make a new bundle'
complete -c gdn -n __fish_use_subcommand -a new -d 'make a new tool'
complete -c gdn -n __fish_use_subcommand -a ps -d 'show the swarms that run'
complete -c gdn -n __fish_use_subcommand -a logs -d 'show what agents did'
complete -c gdn -n __fish_use_subcommand -a trace -d 'show where the time went'
complete -c gdn -n __fish_use_subcommand -a instance -d 'list or delete conversations'
complete -c gdn -n __fish_use_subcommand -a restart -d 'restart a running swarm'
complete -c gdn -n __fish_use_subcommand -a handles -d 'pending results'
complete -c gdn -n __fish_use_subcommand -a bundle -d 'the history of a bundle'
complete -c gdn -n __fish_use_subcommand -a auth -d 'connect applications (OAuth)'
complete -c gdn -n __fish_use_subcommand -a mcp -d 'try MCP servers'
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
complete -c gdn -n '__fish_seen_subcommand_from run' -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from run' -l watch -d 'restart what a change touches'
complete -c gdn -n '__fish_seen_subcommand_from run' -l wait-handles -d 'end when no result is pending'
complete -c gdn -n '__fish_seen_subcommand_from run' -l wait-auth -d 'end when nobody is asked for consent'
complete -c gdn -n '__fish_seen_subcommand_from run call' -l subject -d 'whose tokens are used' -x
complete -c gdn -n '__fish_seen_subcommand_from run call' -l origin -d 'where the message came from' -x
complete -c gdn -n '__fish_seen_subcommand_from run' -l env-file -r
complete -c gdn -n '__fish_seen_subcommand_from run logs' -l instance-key -x
complete -c gdn -n '__fish_seen_subcommand_from run logs instance restart' -l agent -x
complete -c gdn -n '__fish_seen_subcommand_from run ps logs trace instance restart handles' -l swarm -x
complete -c gdn -n '__fish_seen_subcommand_from run ps logs trace instance restart handles' -l state-root -x -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from ps logs trace instance restart handles' -l workspace -x
complete -c gdn -n '__fish_seen_subcommand_from run ps logs trace instance handles' -l json
complete -c gdn -n '__fish_seen_subcommand_from logs' -l follow -s f -d 'go on as more comes'
complete -c gdn -n '__fish_seen_subcommand_from trace' -a last
complete -c gdn -n '__fish_seen_subcommand_from trace' -l format -x -a 'text json otlp'
complete -c gdn -n '__fish_seen_subcommand_from instance' -a 'list delete'
complete -c gdn -n '__fish_seen_subcommand_from restart' -l fresh -d 'forget conversations'
complete -c gdn -n '__fish_seen_subcommand_from handles' -a 'list wait complete cancel'
complete -c gdn -n '__fish_seen_subcommand_from bundle' -a 'log diff rollback'
complete -c gdn -n '__fish_seen_subcommand_from bundle' -l bundle -x -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from bundle' -l limit -x
complete -c gdn -n '__fish_seen_subcommand_from bundle' -l message -x
complete -c gdn -n '__fish_seen_subcommand_from bundle' -l json
complete -c gdn -n '__fish_seen_subcommand_from auth' -a 'login list status logout rotate-key'
complete -c gdn -n '__fish_seen_subcommand_from login' -l scope -x -d 'only this scope'
complete -c gdn -n '__fish_seen_subcommand_from login' -l timeout -x -d 'seconds to wait'
complete -c gdn -n '__fish_seen_subcommand_from login' -l no-browser -d 'only print the link'
complete -c gdn -n '__fish_seen_subcommand_from login status logout' -l subject -x -d 'whose token'
complete -c gdn -n '__fish_seen_subcommand_from logout' -l all -d 'all of the application'
complete -c gdn -n '__fish_seen_subcommand_from login logout' -l bundle -x -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from login logout' -l env-file -r
complete -c gdn -n '__fish_seen_subcommand_from login logout' -l allow-host -x
complete -c gdn -n '__fish_seen_subcommand_from auth' -l state-root -x -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from auth' -l json
complete -c gdn -n '__fish_seen_subcommand_from mcp' -a 'list tools call resources read prompts prompt approve import'
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l bundle -x -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l header -x -d 'sent with every request'
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l env -x -d 'for the server program'
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l era -x -a 'auto modern legacy'
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l elicit -x -a 'decline defaults'
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l sample -x
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l roots -x -a '(__fish_complete_directories)'
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l timeout-ms -x -d 'time limit'
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l json
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l all -d 'approve: every tool'
complete -c gdn -n '__fish_seen_subcommand_from mcp' -l output -r -d 'import: new file'
