import { spawnSync } from "node:child_process"
import { expect, it } from "vitest"
import { type CommandNode, treeOf } from "../../src/commands/CommandTree.js"
import { scriptOf } from "../../src/commands/completion.js"
import { parley } from "../../src/commands/parley.js"

const root = treeOf(parley.name, parley.what, parley.sections)
const child = (node: CommandNode, ...path: ReadonlyArray<string>): CommandNode => {
  const [name = "", ...rest] = path
  const found = node.children.get(name)
  if (found === undefined) throw new Error(`there is no ${path.join(" ")}`)
  return rest.length === 0 ? found : child(found, ...rest)
}
const optionsOf = ({ manual }: CommandNode) => manual.options.flatMap(({ names }) => names)

/** What bash offers for the last word of each line. */
const offered = (...lines: ReadonlyArray<ReadonlyArray<string>>) => {
  const calls = lines.map(
    (line) =>
      `COMP_WORDS=(parley ${line.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${line.length}; _parley; echo "\${COMPREPLY[*]}"`
  )
  const script = [scriptOf(root, "bash"), ...calls].join("\n")
  const { status, stderr, stdout } = spawnSync("bash", ["-s"], { input: script, encoding: "utf8" })
  expect([status, stderr]).toEqual([0, ""])
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ").filter((word) => word !== ""))
}

it("completes the commands of the root and of groups in bash", () => {
  const job = child(root, "job")
  expect(offered([""], ["job", ""], ["jo"], ["job", "re"])).toEqual([
    [...root.children.keys()],
    [...job.children.keys()],
    ["job"],
    ["retry"]
  ])
})

it("completes options in bash, behind other options and arguments too", () => {
  const list = child(root, "job", "list")
  const status = child(root, "status")
  expect(
    offered(
      ["job", "list", ""],
      ["status", ""],
      ["job", "list", "--lane", "sends", "--j"],
      ["status", "--by", "app", ""]
    )
  ).toEqual([optionsOf(list), optionsOf(status), ["--json"], optionsOf(status)])
})

it("offers nothing behind an unknown command", () => {
  expect(offered(["unknown", ""], ["job"])).toEqual([[], ["job"]])
})

it("has every command for zsh and fish", () => {
  expect(scriptOf(root, "zsh")).toMatch(/^#compdef parley\n/)
  expect(scriptOf(root, "zsh")).toContain(scriptOf(root, "bash"))
  const fish = scriptOf(root, "fish")
  for (const [group, node] of root.children) {
    expect(fish).toContain(` -f -a ${group} -d '`)
    for (const name of node.children.keys()) expect(fish).toContain(`'__parley_at ${group}' -f -a ${name} -d '`)
  }
})
