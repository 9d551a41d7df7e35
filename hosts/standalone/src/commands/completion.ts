import { Args, Command } from "@effect/cli"
import { Console } from "effect"
import { type CommandNode, treeOf } from "./CommandTree.js"
import type { CommandLine } from "./commandLine.js"
import { described } from "./described.js"

/** Prints a script with which a shell completes the commands and options of this command line. */
export const completion = (commandLine: () => CommandLine) =>
  Command.make(
    "completion",
    { shell: Args.choice(shells, { name: "shell" }).pipe(Args.withDescription("The shell that reads the script")) },
    ({ shell }) => {
      const { name, sections, what } = commandLine()
      return Console.log(scriptOf(treeOf(name, what, sections), shell))
    }
  ).pipe(
    described(
      "Print a script with which a shell completes commands and options. Example: parley completion bash > ~/.local/share/bash-completion/completions/parley Example: parley completion zsh > ~/.zsh/_parley Example: parley completion fish > ~/.config/fish/completions/parley.fish"
    )
  )

type Shell = "bash" | "zsh" | "fish"
const shells: Array<[string, Shell]> = [
  ["bash", "bash"],
  ["zsh", "zsh"],
  ["fish", "fish"]
]

/** The script for a shell, made from the command tree. */
export const scriptOf = (root: CommandNode, shell: Shell): string => {
  const nodes = [root, ...[...root.children.values()].flatMap((group) => [group, ...group.children.values()])]
  const name = root.path[0] ?? ""
  if (shell === "fish") return fishScript(name, nodes)
  return shell === "bash" ? bashScript(name, nodes) : zshScript(name, nodes)
}

/** What may follow a command: its subcommands, else its options. */
const wordsOf = ({ children, manual }: CommandNode): ReadonlyArray<string> =>
  children.size > 0 ? [...children.keys()] : manual.options.flatMap(({ names }) => names)

const pathOf = ({ path }: CommandNode): string => path.slice(1).join(" ")

const bashScript = (name: string, nodes: ReadonlyArray<CommandNode>): string => `_${name}() {
  local at command="" words=""
  for ((at = 1; at < COMP_CWORD && at < 3; at++)); do
    command="\${command:+$command }\${COMP_WORDS[at]}"
    case "$command" in
      ${nodes.map((node) => `"${pathOf(node)}"`).join("|")}) ;;
      *) command="\${command% *}" ;;
    esac
  done
  case "$command" in
${nodes.map((node) => `    "${pathOf(node)}") words="${wordsOf(node).join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}`

/** zsh reads the functions of bash. */
const zshScript = (name: string, nodes: ReadonlyArray<CommandNode>): string =>
  `#compdef ${name}\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(name, nodes)}`

const fishScript = (name: string, nodes: ReadonlyArray<CommandNode>): string => {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`
  const lines = nodes.flatMap((node) => {
    const place = node.children.size > 0 ? "at" : "in"
    const condition = `complete -c ${name} -n ${quoted(`__${name}_${place} ${pathOf(node)}`)}`
    const subcommands = [...node.children].map(
      ([word, { manual }]) => `${condition} -f -a ${word} -d ${quoted(manual.what)}`
    )
    const options = node.children.size > 0 ? [] : node.manual.options
    const described = options.map(({ does, names, takes }) => {
      const flags = names.map((one) => (one.startsWith("--") ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`))
      return `${condition} ${flags.join(" ")}${takes === null ? "" : " -r"} -d ${quoted(does)}`
    })
    return [...subcommands, ...described]
  })
  // `at`: the words are exactly these. `in`: they begin with these.
  return `function __${name}_words
  string match -v -- '-*' (commandline -opc)[2..]
end
function __${name}_at
  set -l words (__${name}_words)
  test "$words" = "$argv"
end
function __${name}_in
  set -l words (__${name}_words)
  string match -q -- "$argv *" "$words "
end
complete -c ${name} -f
${lines.join("\n")}`
}
