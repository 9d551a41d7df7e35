import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type CommandNode, treeOf } from "../../src/commands/CommandTree.js"
import { helpOf } from "../../src/commands/help.js"
import { parley } from "../../src/commands/parley.js"
import { runParley } from "./runParley.js"

const all = (node: CommandNode): ReadonlyArray<CommandNode> => [node, ...[...node.children.values()].flatMap(all)]
const nodes = all(treeOf(parley.name, parley.what, parley.sections))
const commands = nodes.filter(({ children }) => children.size === 0)
const called = (node: CommandNode) => node.path.join(" ")

describe("help", () => {
  it.each(nodes.map((node) => [called(node), node] as const))("of %s is readable on any terminal", (_, node) => {
    const text = helpOf(node, 80)
    expect(node.manual.what).not.toBe("")
    for (const line of text.split("\n")) {
      expect(line.length, line).toBeLessThanOrEqual(100)
      expect(line, line).toBe(line.trimEnd())
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    expect(text).toContain(`Usage\n  ${called(node)} `)
  })

  it.each(commands.map((node) => [called(node), node] as const))("of %s has examples that are right", (_, node) => {
    const { args, examples, options } = node.manual
    expect(examples.length).toBeGreaterThan(0)
    expect(examples.length).toBeLessThanOrEqual(3)
    const known = options.flatMap(({ names }) => names)
    for (const example of examples) {
      // A command of two groups has the examples of one.
      const same = commands.filter(({ manual }) => manual.what === node.manual.what).map(called)
      expect(`${example} `, example).toMatch(new RegExp(`^(?:PARLEY_\\w+=\\S+ )?(?:${same.join("|")}) `))
      for (const [name] of example.matchAll(/(?<= )--[a-z-]+/g)) expect(known).toContain(name)
    }
    for (const { does, names } of [...args, ...options]) expect([names, does]).not.toEqual([names, ""])
  })

  it.effect("is printed in three ways", () =>
    Effect.gen(function* () {
      const ways = [
        ["help", "endpoint", "add"],
        ["endpoint", "add", "--help"],
        ["endpoint", "add", "http://a.example", "-h"]
      ]
      const [help, ...others] = yield* Effect.forEach(ways, (message) => runParley(message))
      expect(help).toMatchObject({ code: 0, errors: "" })
      expect(help?.output).toContain("Usage\n  parley endpoint add <url> [options]")
      expect(others).toEqual([help, help])
    })
  )

  it.effect("lists every command of a group, and exits with 0", () =>
    Effect.gen(function* () {
      for (const message of [[], ["endpoint"], ["endpoint", "--help"]]) {
        const { code, output } = yield* runParley(message)
        expect(code).toBe(0)
        const node = nodes.find(
          ({ path }) =>
            path.length === 1 + (message[0] === "endpoint" ? 1 : 0) && (message.length === 0 || path[1] === "endpoint")
        )
        for (const name of node?.children.keys() ?? []) expect(output).toMatch(new RegExp(`^  ${name}  `, "m"))
      }
    })
  )

  it.effect("prints the version", () =>
    Effect.map(runParley(["--version"]), ({ code, output }) =>
      expect([code, output]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+$/)])
    )
  )
})
