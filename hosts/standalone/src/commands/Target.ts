import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Options } from "@effect/cli"
import { maskedUrl, parseUrl } from "@parley/core"
import { Effect, Option, Redacted } from "effect"
import * as DemoFile from "../demo/DemoFile.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"

/** The server and the credentials of a command. */
export interface Target {
  /** Without a path and a trailing slash. */
  readonly url: string
  /** The source of the URL, for error messages. */
  readonly urlFrom: string
  readonly token: Redacted.Redacted
  /** The source of the token, for error messages. */
  readonly tokenFrom: string
  /** The demo's application, if the server is the demo. */
  readonly applicationId: string | null
  readonly workspaceId: string | null
  readonly connections: { readonly [channel: string]: string }
}

/** The options of every command that calls the admin API. */
export const targetOptions = {
  server: Options.text("server").pipe(
    Options.withPseudoName("url"),
    Options.withDescription("The server's URL; default PARLEY_URL, PARLEY_PUBLIC_URL, or the URL in .parley/demo.json"),
    Options.optional
  ),
  token: Options.text("token").pipe(
    Options.withDescription(
      "The admin token; prefer PARLEY_ADMIN_TOKEN, which other users cannot see; default the token in .parley"
    ),
    Options.optional
  )
}

/**
 * Determines the target from the options, the environment and the data directory (docs/reference/running.md#demo-file).
 */
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
    const parsed = /^https?:\/\//.test(url.value) ? parseUrl(url.value) : null
    if (parsed === null) {
      return yield* misused(`${url.from} must be an http or https URL, not ${maskedUrl(url.value)}`)
    }
    if (parsed.username !== "" || parsed.password !== "") {
      return yield* misused(
        `${url.from} must not contain a user name or password: give the admin token in PARLEY_ADMIN_TOKEN or --token`
      )
    }
    const [path] = /\/(admin|api)\/v1\/*$/.exec(parsed.pathname) ?? []
    if (path !== undefined) {
      return yield* misused(`${url.from} must be the URL without ${path}: write ${url.value.replace(path, "")}`)
    }
    const token = firstOf([
      ["--token", Option.getOrNull(options.token)],
      ["PARLEY_ADMIN_TOKEN", PARLEY_ADMIN_TOKEN],
      [file, demo?.admin_token],
      [join(directory, "admin-token"), yield* textIn(join(directory, "admin-token"))]
    ])
    if (token === null) {
      return yield* new CommandFailed({
        message: `There is no admin token: set PARLEY_ADMIN_TOKEN or --token, or run the command in the folder that contains ${directory}`
      })
    }
    // HTTP removes spaces and line breaks at the ends.
    if (!/^[\x21-\x7e]+$/.test(token.value.trim())) {
      return yield* misused(
        `The admin token from ${token.from} must be printable ASCII without spaces and line breaks: give the token alone`
      )
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

const misused = (message: string): CommandFailed => new CommandFailed({ message, code: exitCodes.misused })

/** The first non-empty value. */
const firstOf = (places: ReadonlyArray<readonly [from: string, value: string | null | undefined]>) => {
  for (const [from, value] of places) if (value) return { from, value }
  return null
}

const textIn = (path: string): Effect.Effect<string | null> =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.map((text) => text.trim()),
    Effect.catchAll(() => Effect.succeed(null))
  )
