import { Prompt } from "@effect/cli"
import * as Terminal from "@effect/platform/Terminal"
import { Console, Effect, Either, Redacted } from "effect"
import type { Resource } from "../AdminClient.js"
import { CommandFailed } from "../CommandFailed.js"
import { printable } from "../printable.js"
import { groupIn, readValue, type Setting } from "./Setting.js"

/** How to prompt for settings. */
export interface PromptMode {
  /** The input is not shown. */
  readonly secret: boolean
  /** Whether to prompt for optional settings too. */
  readonly thorough: boolean
}

type Prompted<A> = Effect.Effect<A, CommandFailed, Prompt.Prompt.Environment>

/** Whether a user at a terminal can be prompted. */
export const canAsk: Effect.Effect<boolean, never, Terminal.Terminal> = Effect.flatMap(Terminal.Terminal, ({ isTTY }) =>
  Effect.map(isTTY, (isTTY) => isTTY && process.stdin.isTTY)
)

/** The answer to a prompt; Ctrl-C ends the command. */
export const answerTo = <A>(question: Prompt.Prompt<A>): Prompted<A> =>
  Effect.mapError(Prompt.run(question), () => new CommandFailed({ message: "Stopped: nothing was changed." }))

/** Prompts for the missing settings: first required ones, then groups, then optional ones. */
export const askSettings = (settings: ReadonlyArray<Setting>, given: Resource, mode: PromptMode): Prompted<Resource> =>
  Effect.gen(function* () {
    const answers: { [name: string]: unknown } = { ...given }
    const groups = settings.filter(({ takes }) => takes.kind === "group")
    const single = settings.filter(({ name, takes }) => takes.kind !== "group" && given[name] === undefined)

    for (const setting of single.filter(({ required }) => required)) answers[setting.name] = yield* ask(setting, mode)
    for (const { description, name, required, takes, title } of groups) {
      const isWanted =
        required || given[name] !== undefined || (mode.thorough && (yield* confirmed(title, description)))
      if (isWanted && takes.kind === "group") {
        answers[name] = yield* askSettings(takes.settings, groupIn(given, name), mode)
      }
    }
    const others = single.filter(({ required }) => !required)
    if (mode.thorough && others.length > 0) {
      const lines = others.map(({ description, title }) => `  ${title}. ${description}`.trimEnd())
      if (yield* confirmed("Any of these", ["May be left out:", ...lines].join("\n"))) {
        for (const setting of others) {
          const answer = yield* ask(setting, mode)
          if (answer !== undefined) answers[setting.name] = answer
        }
      }
    }
    return answers
  })

/** Undefined if nothing is entered for an optional setting. */
const ask = ({ description, required, takes, title }: Setting, { secret }: PromptMode): Prompted<unknown> =>
  Effect.gen(function* () {
    if (description !== "") yield* Console.log(`\n${description}`)
    if (takes.kind === "choice") {
      const none = required ? [] : [{ title: "leave it out", value: undefined }]
      const message = takes.message.map((word) => ({ title: printable(word), value: word }))
      return yield* answerTo(Prompt.select<string | undefined>({ message: title, choices: [...none, ...message] }))
    }
    const notes = [...(takes.kind === "list" ? ["separated by commas"] : []), ...(required ? [] : ["may be left out"])]
    const options = {
      message: notes.length === 0 ? title : `${title} (${notes.join(", ")})`,
      validate: (text: string) =>
        text === ""
          ? required
            ? Effect.fail("is needed")
            : Effect.succeed(text)
          : Either.map(readValue(takes, text), () => text)
    }
    const text = secret
      ? Redacted.value(yield* answerTo(Prompt.password(options)))
      : yield* answerTo(Prompt.text(options))
    return text === "" ? undefined : Either.getOrUndefined(readValue(takes, text))
  })

const confirmed = (title: string, description: string): Prompted<boolean> =>
  Effect.zipRight(
    description === "" ? Effect.void : Console.log(`\n${description}`),
    answerTo(Prompt.confirm({ message: `${title}?`, initial: false }))
  )
