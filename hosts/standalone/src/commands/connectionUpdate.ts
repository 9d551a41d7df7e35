import { Effect } from "effect"
import type { AdminClient, Resource } from "./AdminClient.js"
import { apiCommand, option, optionalChoice } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { printOne } from "./output.js"
import { providerOf, providersOf } from "./providers.js"
import { given, idOf, type Kind, pathTo } from "./resource.js"
import { type Settings, setOption, settingsInFiles, settingsOptions, withSet } from "./settings/givenSettings.js"
import { groupIn } from "./settings/Setting.js"

/** `parley connection update <id>`: files replace the present settings, `--set` changes single settings of `config`. */
export const update = (kind: Kind) =>
  apiCommand(
    "update",
    "Change, pause, disconnect or activate a connection. Credentials are replaced as a whole. Channel, provider and handle cannot be changed: add another connection instead. Example: parley connection update <id> --status paused Example: parley connection update <id> --set business_account_id=102290129340398",
    {
      id: idOf(kind),
      name: option("name", "The connection's name"),
      status: optionalChoice(
        "status",
        ["active", "paused", "disconnected"],
        "Only an active connection sends messages"
      ),
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
            message: "Give a field to change: parley help connection update lists the options",
            code: exitCodes.misused
          })
        }
        yield* printOne(json, yield* client.call("PATCH", pathTo(kind, id), patch))
      })
  )

/** The settings after `--set`, based on the files or, without a file, on the present `config`. */
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
