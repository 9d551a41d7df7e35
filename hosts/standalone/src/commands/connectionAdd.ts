import { Args, Options, Prompt } from "@effect/cli"
import { Channel } from "@parley/core"
import { Console, Effect, Option } from "effect"
import type { Resource } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { argument, leaf, needed, option, workspaceOption } from "./leaf.js"
import { nextSteps } from "./nextSteps.js"
import { printOne } from "./output.js"
import { type Provider, providerOf, providersOf } from "./providers.js"
import { given } from "./resource.js"
import { answerTo, askSettings, canAsk } from "./settings/askSettings.js"
import { type Settings, setOption, settingsInFiles, settingsOptions, withSet } from "./settings/givenSettings.js"
import { settingsIn } from "./settings/Setting.js"

const sandbox = "sandbox"

/** `parley connection add`: asks a person for what is missing, and nobody where there is no terminal. */
export const add = leaf(
  "add",
  "Connect a channel; on a terminal, what is missing is asked for. Example: parley connection add whatsapp Example: parley connection add whatsapp +15550100 --test Example: parley connection add telegram @acme_bot --credentials token.json",
  {
    channel: argument("channel", `One of ${Channel.literals.join(", ")}`),
    handle: Args.text({ name: "handle" }).pipe(
      Args.withDescription("The business's own address on the channel"),
      Args.optional
    ),
    provider: option(
      "provider",
      "What serves it: parley providers lists them (default sandbox with --test, else the one besides it that serves the channel)"
    ),
    name: option("name", "What to call it; else its handle"),
    test: Options.boolean("test").pipe(Options.withDescription("Mark it as test: for test applications")),
    ...settingsOptions,
    set: setOption,
    workspace: workspaceOption
  },
  ({ channel, config, credentials, handle, name, provider, set, test, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspaceId = yield* needed("workspace", workspace, target)
      const files = yield* settingsInFiles({ config, credentials })
      const asks = !json && (yield* canAsk)
      const named = provider ?? (test ? sandbox : null)
      const looksUp = !json || named === null || set.length > 0
      const providers = looksUp ? yield* providersOf(client) : []
      const kind = named ?? (yield* servingProvider(channel, providers, asks))
      const address = Option.isSome(handle) ? handle.value : yield* askedHandle(channel, asks)
      const settings = looksUp
        ? yield* completed(files, set, yield* providerOf(providers, kind), asks && kind !== sandbox)
        : files
      const made = yield* client.call("POST", "/connections", {
        workspace_id: workspaceId,
        channel,
        provider: kind,
        handle: address,
        name: name ?? address,
        is_test: test,
        ...given({ ...settings })
      })
      yield* printOne(json, made)
      if (!json) yield* Console.error(nextSteps(made, yield* providerOf(providers, kind)))
    })
)

/** The provider besides the sandbox that serves a channel, of several the one that a person chooses; the sandbox where there is none. */
const servingProvider = (channel: string, providers: ReadonlyArray<Provider>, asks: boolean) => {
  const kinds = providers
    .filter(({ channels, kind }) => kind !== sandbox && (channels as ReadonlyArray<string>).includes(channel))
    .map(({ kind }) => kind)
  const [only = sandbox, ...others] = kinds
  if (others.length === 0) return Effect.succeed(only)
  if (!asks) return misused(`Say which provider with --provider: ${kinds.join(" or ")}`)
  const choices = [...kinds, sandbox].map((kind) => ({ title: kind, value: kind }))
  return answerTo(Prompt.select({ message: "Which provider?", choices }))
}

const askedHandle = (channel: string, asks: boolean) =>
  asks
    ? answerTo(
        Prompt.text({
          message: `The business's own address on ${channel}`,
          validate: (text) => (text.trim() === "" ? Effect.fail("is needed") : Effect.succeed(text))
        })
      )
    : misused(`Say the business's own address on ${channel}: parley connection add ${channel} <handle>`)

/** What files and `--set` give, and a person where one is asked: for everything where nothing was given. */
const completed = (files: Settings, set: ReadonlyArray<string>, provider: Provider, asks: boolean) =>
  Effect.gen(function* () {
    const settings = yield* withSet(files, set, provider)
    if (!asks) return settings
    const thorough = settings.config === null && settings.credentials === null
    const asked = (part: keyof Settings, secret: boolean): ReturnType<typeof askSettings> =>
      askSettings(settingsIn(provider[part]), settings[part] ?? {}, { secret, thorough })
    return {
      config: orNone(yield* asked("config", false)),
      credentials: orNone(yield* asked("credentials", true))
    }
  })

const orNone = (settings: Resource): Resource | null => (Object.keys(settings).length === 0 ? null : settings)

const misused = (message: string): CommandFailed => new CommandFailed({ message, code: exitCodes.misused })
