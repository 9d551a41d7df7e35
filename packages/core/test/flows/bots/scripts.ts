import { minute } from "../../../src/model/Instant.js"
import type { BotStep, Script } from "../../../src/model/Script.js"

/** A script of these steps with the start keyword `demo`. */
export const aScript = (steps: ReadonlyArray<BotStep>, given: Partial<Script> = {}): Script => ({
  start: { keywords: ["demo"], newConversationOn: [] },
  greeting: null,
  steps,
  timeOutMs: 30 * minute,
  timeOutText: null,
  ...given
})

export const say = (key: string, text: string, goTo: string | null = null): BotStep => ({
  key,
  type: "say",
  text,
  goTo
})

export const ask = (key: string, text: string, given: Partial<BotStep & { readonly type: "ask" }> = {}): BotStep => ({
  key,
  type: "ask",
  text,
  expected: { type: "text", maxLength: 100 },
  invalid: null,
  tries: 3,
  goTo: null,
  ...given
})

export const finish = (key: string, text: string | null = null): BotStep => ({ key, type: "finish", text })

export const handOff = (key: string, given: Partial<BotStep & { readonly type: "hand_off" }> = {}): BotStep => ({
  key,
  type: "hand_off",
  text: null,
  agentId: null,
  teamId: null,
  ...given
})

/** Lead qualification: a choice that branches, a name, an end or a hand-off. */
export const qualification = aScript(
  [
    ask("need", "What do you need?", {
      expected: {
        type: "choice",
        choices: [
          { value: "prices", text: "Prices", goTo: null },
          { value: "support", text: "Support", goTo: "person" }
        ]
      }
    }),
    ask("name", "And your name?"),
    finish("end", "Thank you, {{answers.name}}!"),
    handOff("person", { text: "One moment." })
  ],
  { greeting: "Hello {{contact.first_name}}!", timeOutText: "Are you there?" }
)
