import { Args, Options, Prompt } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import type { Resource } from "./AdminClient.js"
import { apiCommand, argument, needed, option, workspaceOption } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { nextSteps } from "./nextSteps.js"
import { printOne } from "./output.js"
import { type Provider, providerOf, providersOf } from "./providers.js"
import { given } from "./resource.js"
import { answerTo, askSettings, canAsk } from "./settings/askSettings.js"
import { type Settings, setOption, settingsInFiles, settingsOptions, withSet } from "./settings/givenSettings.js"
import { settingsIn } from "./settings/Setting.js"

const sandbox = "sandbox"

/** `parley connection add`: prompts for missing settings on a terminal only. */
export const add = apiCommand(
  "add",
  "Connect a channel; on a terminal, prompts for missing settings. Example: parley connection add whatsapp Example: parley connection add whatsapp +15550100 --test Example: parley connection add telegram @acme_bot --credentials token.json",
  {
    channel: argument("channel", "A channel of the host, such as telegram: parley providers lists them"),
    handle: Args.text({ name: "handle" }).pipe(
      Args.withDescription("The business's own handle on the channel"),
      Args.optional
    ),
    provider: option(
      "provider",
      "The provider, from parley providers (default: sandbox with --test, otherwise the other provider of the channel)"
    ),
    name: option("name", "The connection's name (default: its handle)"),
    test: Options.boolean("test").pipe(Options.withDescription("Mark the connection as test, for test applications")),
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
      const address = Option.isSome(handle) ? handle.value : yield* promptHandle(channel, asks)
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

/**
 * The provider of a channel besides the sandbox. If there are several, the user selects one; without one, the
 * sandbox.
 */
const servingProvider = (channel: string, providers: ReadonlyArray<Provider>, asks: boolean) => {
  const kinds = providers
    .filter(({ channels, kind }) => kind !== sandbox && (channels as ReadonlyArray<string>).includes(channel))
    .map(({ kind }) => kind)
  const [only = sandbox, ...others] = kinds
  if (others.length === 0) return Effect.succeed(only)
  if (!asks) return misused(`Select the provider with --provider: ${kinds.join(" or ")}`)
  const choices = [...kinds, sandbox].map((kind) => ({ title: kind, value: kind }))
  return answerTo(Prompt.select({ message: "Which provider?", choices }))
}

const promptHandle = (channel: string, asks: boolean) =>
  asks
    ? answerTo(
        Prompt.text({
          message: `The business's own handle on ${channel}`,
          validate: (text) => (text.trim() === "" ? Effect.fail("is needed") : Effect.succeed(text))
        })
      )
    : misused(`Give the business's own handle on ${channel}: parley connection add ${channel} <handle>`)

/**
 * The settings from files and `--set`, completed by prompts on a terminal. Prompts for all settings if none were given.
 */
const completed = (files: Settings, set: ReadonlyArray<string>, provider: Provider, asks: boolean) =>
  Effect.gen(function* () {
    const settings = yield* withSet(files, set, provider)
    if (!asks) return settings
    const thorough = settings.config === null && settings.credentials === null
    const promptFor = (part: keyof Settings, secret: boolean): ReturnType<typeof askSettings> =>
      askSettings(settingsIn(provider[part]), settings[part] ?? {}, { secret, thorough })
    return {
      config: orNone(yield* promptFor("config", false)),
      credentials: orNone(yield* promptFor("credentials", true))
    }
  })

const orNone = (settings: Resource): Resource | null => (Object.keys(settings).length === 0 ? null : settings)

const misused = (message: string): CommandFailed => new CommandFailed({ message, code: exitCodes.misused })
