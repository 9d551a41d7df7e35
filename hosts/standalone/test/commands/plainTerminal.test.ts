import { Prompt } from "@effect/cli"
import * as Terminal from "@effect/platform/Terminal"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { plainTerminal } from "../../src/commands/plainTerminal.js"
import { typedTerminal } from "./typedTerminal.js"

const colour = `${String.fromCharCode(27)}[0;`

it.scopedLive("prompts have no colours at a plain terminal", () =>
  Effect.gen(function* () {
    const ask = Prompt.run(Prompt.text({ message: "Name" }))
    const coloured = yield* typedTerminal("Ada")
    expect(yield* Effect.provideService(ask, Terminal.Terminal, coloured)).toBe("Ada")
    expect(coloured.shown()).toContain(colour)
    const plain = yield* typedTerminal("Ada")
    const layer = Layer.provide(plainTerminal, Layer.succeed(Terminal.Terminal, plain))
    expect(yield* Effect.provide(ask, layer)).toBe("Ada")
    expect(plain.shown()).toContain("Name")
    expect(plain.shown()).not.toContain(colour)
  }).pipe(Effect.provide(NodeContext.layer))
)
