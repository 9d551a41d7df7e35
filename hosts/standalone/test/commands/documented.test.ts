import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import { type CommandNode, treeOf } from "../../src/commands/CommandTree.js"
import { parley } from "../../src/commands/parley.js"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const pages = [
  "README.md",
  ...["docs", "docs/channels"].flatMap((folder) =>
    readdirSync(`${root}${folder}`)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`)
  )
]

/** The command lines of a page's shell blocks, as words: without what is before `parley` and after the command. */
const commandLines = (page: string): ReadonlyArray<ReadonlyArray<string>> => {
  const blocks = [...readFileSync(`${root}${page}`, "utf8").matchAll(/```sh\n(.*?)```/gs)].map(
    ([, block = ""]) => block
  )
  return blocks
    .flatMap((block) => block.replaceAll("\\\n", " ").split("\n"))
    .flatMap((line) => [
      ...line.matchAll(
        /(?<![\w./@-])parley (?!-- )((?:"[^"]*"|'[^']*'|[^#|;&)"'])*)|parley -- ((?:"[^"]*"|'[^']*'|[^#|;&)"'])*)/g
      )
    ])
    .map(([, one, other]) =>
      [...(one ?? other ?? "").matchAll(/"([^"]*)"|'([^']*)'|(<[^>]*>|[^\s"'])+/g)].map(([word]) => word)
    )
}

/** What is wrong with a command line; null where it is one. */
const problem = (message: ReadonlyArray<string>): string | null => {
  const [first] = message
  if (first === undefined || first === "--version" || first === "--help") return null
  let node: CommandNode = treeOf(parley.name, parley.what, parley.sections)
  const left = [...(first === "help" ? message.slice(1) : message)]
  while (node.children.size > 0 && left.length > 0) {
    const child = node.children.get(left.shift() ?? "")
    if (child === undefined) return `no such command in ${node.path.join(" ")}`
    node = child
  }
  if (node.children.size > 0 || first === "help") return null
  const { args, options } = node.manual
  let given = 0
  for (let at = 0; at < left.length; at++) {
    const word = left[at] ?? ""
    const option = options.find(({ names }) => names.includes(word.split("=")[0] ?? ""))
    if (option === undefined && word.startsWith("--") && word !== "--help") return `no option ${word}`
    if (option === undefined) given++
    else if (option.takes !== null && !word.includes("=")) at++
  }
  const needed = args.filter(({ optional }) => !optional).length
  return given < needed || given > args.length ? `${given} arguments` : null
}

it("distinguishes command lines from other text", () => {
  expect(problem(["endpoint", "add", "https://a.example", "--events", "message.sent"])).toBeNull()
  expect(problem(["endpoint", "add"])).toBe("0 arguments")
  expect(problem(["endpoint", "add", "https://a.example", "--event", "message.sent"])).toBe("no option --event")
  expect(problem(["endpoint", "adds"])).toBe("no such command in parley endpoint")
})

it.each(pages)("every command line in %s is one", (page) => {
  expect(
    commandLines(page)
      .map((message) => [message.join(" "), problem(message)])
      .filter(([, wrong]) => wrong !== null)
  ).toEqual([])
})

it("finds the command lines of the pages", () => {
  expect(commandLines("docs/cli.md").length).toBeGreaterThan(20)
})
