import { Args } from "@effect/cli"
import { ProviderResource } from "@parley/core"
import { Effect, Option, Schema } from "effect"
import type { AdminClient, Resource } from "./AdminClient.js"
import { apiCommand } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { printList, printOne } from "./output.js"
import { leavesOf, settingsIn } from "./settings/Setting.js"

/** A channel provider of the host. */
export type Provider = typeof ProviderResource.Type

const decode = Schema.decodeUnknown(Schema.Array(ProviderResource))

/** The providers of the host. */
export const providersOf = (client: AdminClient): Effect.Effect<ReadonlyArray<Provider>, CommandFailed> =>
  Effect.flatMap(client.list("/providers", {}), ({ rows }) =>
    Effect.mapError(
      decode(rows),
      () => new CommandFailed({ message: "The server's list of providers has an unknown format." })
    )
  )

/** The provider of a kind. */
export const providerOf = (
  providers: ReadonlyArray<Provider>,
  kind: string
): Effect.Effect<Provider, CommandFailed> => {
  const found = providers.find((provider) => provider.kind === kind)
  const kinds = providers.map(({ kind }) => kind).join(", ")
  return found === undefined
    ? new CommandFailed({ message: `This host has no provider ${kind}, but ${kinds}`, code: exitCodes.misused })
    : Effect.succeed(found)
}

/** The column of the provider's capabilities. */
const abilities = ({ can_check, can_set_up, imports_history, polls, syncs_templates, takes_webhooks }: Resource) => [
  ...(takes_webhooks ? ["webhook"] : []),
  ...(polls ? ["polling"] : []),
  ...(can_check ? ["check"] : []),
  ...(can_set_up ? ["setup"] : []),
  ...(syncs_templates ? ["templates"] : []),
  ...(imports_history ? ["history"] : [])
]

/** A row for each setting. */
const settingRows = ({ config, credentials }: Provider): ReadonlyArray<Resource> =>
  Object.entries({ config, credentials }).flatMap(([part, schema]) =>
    leavesOf(settingsIn(schema)).map(([path, { description, required, takes, title }]) => ({
      setting: `${part}.${path}`,
      needed: required ? "yes" : "no",
      takes: takes.kind === "choice" ? takes.message.join(" or ") : takes.kind,
      what: [title, description].filter((message) => message !== "").join(": ")
    }))
  )

/** `parley providers`: lists providers and their settings. */
export const providers = apiCommand(
  "providers",
  "List the channel providers of the host, or the settings of one. Example: parley providers Example: parley providers whatsapp",
  {
    kind: Args.text({ name: "kind" }).pipe(Args.withDescription("The provider whose settings to list"), Args.optional)
  },
  ({ kind }, { client, json }) =>
    Effect.gen(function* () {
      if (Option.isNone(kind)) {
        const page = yield* client.list("/providers", {})
        return yield* printList(json, page, ["kind", "channels", ["CAN", abilities]])
      }
      const provider = yield* providerOf(yield* providersOf(client), kind.value)
      if (json) return yield* printOne(json, Schema.encodeSync(ProviderResource)(provider))
      yield* printList(json, { rows: settingRows(provider), hasMore: false }, ["setting", "needed", "takes", "what"])
    })
)
