import { Options } from "@effect/cli"
import type { ProviderResource } from "@parley/core"
import { Effect, Schema } from "effect"
import type { Resource } from "../AdminClient.js"
import { option } from "../apiCommand.js"
import { CommandFailed } from "../CommandFailed.js"
import { didYouMean } from "../didYouMean.js"
import { exitCodes } from "../exitCodes.js"
import { readTextFile } from "../readTextFile.js"
import { leavesOf, readValue, type Setting, settingsIn, withValueAt } from "./Setting.js"

/** A connection's settings for its provider; null if none are given. */
export interface Settings {
  readonly config: Resource | null
  readonly credentials: Resource | null
}

/** Options for files, since other users can see a command line. */
export const settingsOptions = {
  config: option("config", "A JSON file with the provider's settings"),
  credentials: option("credentials", "A JSON file with the provider's credentials, which are never shown again")
}

/** The option for single settings. */
export const setOption = Options.text("set").pipe(
  Options.withPseudoName("name=value"),
  Options.withDescription(
    "One setting from parley providers <kind>, such as phone_number_id=106540352242922; may be repeated. Read secrets from a file: access_token=@token.txt"
  ),
  Options.repeated
)

/** The settings in these files. */
export const settingsInFiles = (files: {
  readonly config: string | null
  readonly credentials: string | null
}): Effect.Effect<Settings, CommandFailed> =>
  Effect.all({ config: objectIn(files.config), credentials: objectIn(files.credentials) })

/** The object in a JSON file; null without a file. */
const objectIn = (path: string | null): Effect.Effect<Resource | null, CommandFailed> =>
  path === null
    ? Effect.succeed(null)
    : Effect.flatMap(readTextFile(path), (text) =>
        Effect.mapError(
          Schema.decodeUnknown(JsonObject)(text),
          () => new CommandFailed({ message: `${path} must contain one JSON object` })
        )
      )
const JsonObject = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** Adds the `--set` values to the settings, in the part where the provider has them. */
export const withSet = (
  settings: Settings,
  set: ReadonlyArray<string>,
  provider: typeof ProviderResource.Type
): Effect.Effect<Settings, CommandFailed> =>
  Effect.reduce(set, settings, (before, assignment) =>
    Effect.gen(function* () {
      const { name, text } = yield* assigned(assignment)
      const { part, path, setting } = yield* placeOf(name, provider)
      const value = yield* Effect.mapError(readValue(setting.takes, text), (message) =>
        misused(`--set ${name} ${message}`)
      )
      return { ...before, [part]: withValueAt(before[part] ?? {}, path, value) }
    })
  )

/** A value `@file` is the content of the file without the final line break. */
const assigned = (
  assignment: string
): Effect.Effect<{ readonly name: string; readonly text: string }, CommandFailed> => {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(assignment) ?? []
  if (name === undefined || value === undefined) return misused(`--set takes <name>=<value>, not ${assignment}`)
  const text = value.startsWith("@")
    ? Effect.map(readTextFile(value.slice(1)), (text) => text.replace(/\r?\n$/, ""))
    : Effect.succeed(value)
  return Effect.map(text, (text) => ({ name, text }))
}

interface Place {
  readonly part: keyof Settings
  readonly path: string
  readonly setting: Pick<Setting, "takes">
}

/**
 * A name without prefix is looked up in both parts. A name with `config.` belongs to the config, even if the provider
 * does not declare it.
 */
const placeOf = (
  name: string,
  { config, credentials, kind }: typeof ProviderResource.Type
): Effect.Effect<Place, CommandFailed> => {
  const places = (
    [
      ["config", config],
      ["credentials", credentials]
    ] as const
  ).flatMap(([part, schema]) => leavesOf(settingsIn(schema)).map(([path, setting]): Place => ({ part, path, setting })))
  const found = places.find(({ part, path }) => path === name || `${part}.${path}` === name)
  if (found !== undefined) return Effect.succeed(found)
  if (name.startsWith("config.")) {
    return Effect.succeed({ part: "config", path: name.slice("config.".length), setting: { takes: { kind: "JSON" } } })
  }
  const names = places.map(({ path }) => path)
  return misused(`${kind} has no setting ${name}.${didYouMean(name, names)}\nSee: parley providers ${kind}`)
}

const misused = (message: string): CommandFailed => new CommandFailed({ message, code: exitCodes.misused })
