import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Options } from "@effect/cli"
import { Effect, Option, Redacted } from "effect"
import * as DemoFile from "../demo/DemoFile.js"
import { CommandFailed } from "./CommandFailed.js"

/** Which Parley a command speaks to, and on whose behalf. */
export interface Target {
  /** Without a path and a slash at its end. */
  readonly url: string
  readonly token: Redacted.Redacted
  /** The demo's, where it is the demo's Parley. */
  readonly applicationId: string | null
  readonly workspaceId: string | null
  readonly connections: { readonly [channel: string]: string }
}

/** The options of every command over the admin API. */
export const targetOptions = {
  url: Options.text("url").pipe(
    Options.withDescription("Where Parley is; else PARLEY_PUBLIC_URL, else what .parley/demo.json says"),
    Options.optional
  ),
  token: Options.text("token").pipe(
    Options.withDescription("The admin token; else PARLEY_ADMIN_TOKEN, else what .parley/demo.json says"),
    Options.optional
  )
}

/** Finds out by the options, the environment and the data directory (decisions.md §15). */
export const targetOf = (options: {
  readonly url: Option.Option<string>
  readonly token: Option.Option<string>
}): Effect.Effect<Target, CommandFailed> =>
  Effect.gen(function* () {
    const { PARLEY_ADMIN_TOKEN, PARLEY_DATA_DIR, PARLEY_PUBLIC_URL } = process.env
    const directory = resolve(PARLEY_DATA_DIR || ".parley")
    const found = yield* DemoFile.read(DemoFile.pathIn(directory))
    const demo = found === "begun" ? null : found
    const url = Option.getOrElse(options.url, () => PARLEY_PUBLIC_URL || demo?.base_url || "http://127.0.0.1:8080")
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      return yield* new CommandFailed({ message: `--url must be an http or https URL, not ${url}` })
    }
    const token =
      Option.getOrUndefined(options.token) || PARLEY_ADMIN_TOKEN || demo?.admin_token || (yield* tokenIn(directory))
    if (token === null) {
      return yield* new CommandFailed({
        message: `There is no admin token: give --token or PARLEY_ADMIN_TOKEN, or run this where ${directory} is`
      })
    }
    return {
      url: url.replace(/\/+$/, ""),
      token: Redacted.make(token),
      applicationId: demo?.application_id ?? null,
      workspaceId: demo?.workspace_id ?? null,
      connections: demo?.connections ?? {}
    }
  })

const tokenIn = (directory: string): Effect.Effect<string | null> =>
  Effect.tryPromise(() => readFile(join(directory, "admin-token"), "utf8")).pipe(
    Effect.map((text) => text.trim()),
    Effect.catchAll(() => Effect.succeed(null))
  )
