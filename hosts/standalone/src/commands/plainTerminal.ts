import * as Terminal from "@effect/platform/Terminal"
import { Effect, Layer } from "effect"

/** A terminal that shows prompts without colours; the cursor still moves. */
export const plainTerminal: Layer.Layer<Terminal.Terminal, never, Terminal.Terminal> = Layer.effect(
  Terminal.Terminal,
  Effect.map(Terminal.Terminal, (terminal) => ({
    ...terminal,
    display: (text: string) => terminal.display(text.replace(colours, ""))
  }))
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that terminals read as colours and bold
const colours = /\u001b\[[\d;]*m/g
