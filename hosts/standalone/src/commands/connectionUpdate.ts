import { Effect } from "effect"
import type { AdminClient, Resource } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { leaf, option, optionalChoice } from "./leaf.js"
import { printOne } from "./output.js"
import { providerOf, providersOf } from "./providers.js"
import { given, idOf, type Kind, pathTo } from "./resource.js"
import { type Settings, setOption, settingsInFiles, settingsOptions, withSet } from "./settings/givenSettings.js"
import { groupIn } from "./settings/Setting.js"

/** `parley connection update <id>`: files replace what there is, `--set` changes single settings of `config`. */
export const update = (kind: Kind) =>
  leaf(
    "update",
    "Change a connection, pause, disconnect or activate it. Credentials never come back, so they are given as a whole. Its channel, provider and handle stay: for others, add another connection. Example: parley connection update <id> --status paused Example: parley connection update <id> --set business_account_id=102290129340398",
    {
      id: idOf(kind),
      name: option("name", "What to call it"),
      status: optionalChoice("status", ["active", "paused", "disconnected"], "Only an active one sends"),
      ...settingsOptions,
      set: setOption
    },
    ({ config, credentials, id, name, set, status }, { client, json }) =>
      Effect.gen(function* () {
        const files = yield* settingsInFiles({ config, credentials })
        const settings = set.length === 0 ? files : yield* changed(client, pathTo(kind, id), files, set)
        const patch = given({ name, status, ...settings })
        if (Object.keys(patch).length === 0) {
          return yield* new CommandFailed({
            message: "Say what to change: parley help connection update has the options",
            code: exitCodes.misused
          })
        }
        yield* printOne(json, yield* client.call("PATCH", pathTo(kind, id), patch))
      })
  )

/** What `--set` makes of the files, and of the present `config` where no file replaces it. */
const changed = (
  client: AdminClient,
  path: string,
  files: Settings,
  set: ReadonlyArray<string>
): Effect.Effect<Settings, CommandFailed> =>
  Effect.gen(function* () {
    const connection: Resource = yield* client.call("GET", path)
    const provider = yield* providerOf(yield* providersOf(client), String(connection.provider))
    const before = { ...files, config: files.config ?? groupIn(connection, "config") }
    const settings = yield* withSet(before, set, provider)
    return files.config === null && settings.config === before.config ? { ...settings, config: null } : settings
  })
