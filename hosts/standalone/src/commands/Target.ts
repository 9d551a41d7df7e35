import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Options } from "@effect/cli"
import { parseUrl } from "@parley/core"
import { Effect, Option, Redacted } from "effect"
import * as DemoFile from "../demo/DemoFile.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"

/** Which Parley a command speaks to, and on whose behalf. */
export interface Target {
  /** Without a path and a slash at its end. */
  readonly url: string
  /** Where the URL is from, for whoever wonders. */
  readonly urlFrom: string
  readonly token: Redacted.Redacted
  /** Where the token is from. */
  readonly tokenFrom: string
  /** The demo's, where it is the demo's Parley. */
  readonly applicationId: string | null
  readonly workspaceId: string | null
  readonly connections: { readonly [channel: string]: string }
}

/** The options of every command over the admin API. */
export const targetOptions = {
  server: Options.text("server").pipe(
    Options.withPseudoName("url"),
    Options.withDescription("Where Parley is; else PARLEY_URL or PARLEY_PUBLIC_URL, else what .parley/demo.json says"),
    Options.optional
  ),
  token: Options.text("token").pipe(
    Options.withDescription(
      "The admin token, better in PARLEY_ADMIN_TOKEN where others cannot see it; else what .parley says"
    ),
    Options.optional
  )
}

/** Finds out by the options, the environment and the data directory (decisions.md §15). */
export const targetOf = (options: {
  readonly server: Option.Option<string>
  readonly token: Option.Option<string>
}): Effect.Effect<Target, CommandFailed> =>
  Effect.gen(function* () {
    const { PARLEY_ADMIN_TOKEN, PARLEY_DATA_DIR, PARLEY_PUBLIC_URL, PARLEY_URL } = process.env
    const directory = resolve(PARLEY_DATA_DIR || ".parley")
    const file = DemoFile.pathIn(directory)
    const found = yield* DemoFile.read(file)
    const demo = found === "begun" ? null : found
    const url = firstOf([
      ["--server", Option.getOrNull(options.server)],
      ["PARLEY_URL", PARLEY_URL],
      ["PARLEY_PUBLIC_URL", PARLEY_PUBLIC_URL],
      [file, demo?.base_url]
    ]) ?? { from: "the default", value: "http://127.0.0.1:8080" }
    if (!/^https?:\/\//.test(url.value) || parseUrl(url.value) === null) {
      return yield* new CommandFailed({
        message: `${url.from} must be an http or https URL, not ${url.value}`,
        code: exitCodes.misused
      })
    }
    const token = firstOf([
      ["--token", Option.getOrNull(options.token)],
      ["PARLEY_ADMIN_TOKEN", PARLEY_ADMIN_TOKEN],
      [file, demo?.admin_token],
      [join(directory, "admin-token"), yield* textIn(join(directory, "admin-token"))]
    ])
    if (token === null) {
      return yield* new CommandFailed({
        message: `There is no admin token: give PARLEY_ADMIN_TOKEN in the environment or --token, or run this where ${directory} is`
      })
    }
    return {
      url: url.value.replace(/\/+$/, ""),
      urlFrom: url.from,
      token: Redacted.make(token.value),
      tokenFrom: token.from,
      applicationId: demo?.application_id ?? null,
      workspaceId: demo?.workspace_id ?? null,
      connections: demo?.connections ?? {}
    }
  })

/** The first place that has a value; an empty one is none. */
const firstOf = (places: ReadonlyArray<readonly [from: string, value: string | null | undefined]>) => {
  for (const [from, value] of places) if (value) return { from, value }
  return null
}

const textIn = (path: string): Effect.Effect<string | null> =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.map((text) => text.trim()),
    Effect.catchAll(() => Effect.succeed(null))
  )
