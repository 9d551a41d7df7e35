import { randomBytes } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Data, Effect, Either, Schema } from "effect"

/** The data for a first call; only its owner can read the file (docs/reference/running.md#demo-file). */
export const DemoFile = Schema.Struct({
  /** The server's URL without a path. */
  base_url: Schema.String,
  api_key: Schema.String,
  admin_token: Schema.String,
  application_id: Schema.String,
  workspace_id: Schema.String,
  /** The id of the sandbox connection of each channel. */
  connections: Schema.Record({ key: Schema.String, value: Schema.String })
})
export type DemoFile = typeof DemoFile.Type

/** The file cannot be written. */
export class DemoFileNotWritten extends Data.TaggedError("DemoFileNotWritten")<{
  readonly path: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `${this.path} cannot be written: ${this.cause instanceof Error ? this.cause.message : this.cause}`
  }
}

export const pathIn = (dataDirectory: string): string => join(dataDirectory, "demo.json")

/** The file; `begun` if the creation of the demo was interrupted, or null if there is no readable file. */
export const read = (path: string): Effect.Effect<DemoFile | "begun" | null> =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.map((text) =>
      text.trim() === "{}"
        ? ("begun" as const)
        : Either.getOrNull(Schema.decodeUnknownEither(Schema.parseJson(DemoFile))(text))
    ),
    Effect.catchAll(() => Effect.succeed(null))
  )

/** Records that a demo is being created, so that an interrupted creation is repeated. */
export const begin = (path: string): Effect.Effect<void, DemoFileNotWritten> => replace(path, "{}\n")

export const write = (path: string, file: DemoFile): Effect.Effect<void, DemoFileNotWritten> =>
  replace(path, `${JSON.stringify(file, null, 2)}\n`)

/** Replaces the file atomically: a reader never sees a part of it. */
const replace = (path: string, text: string) =>
  Effect.tryPromise({
    try: async () => {
      const decoded = `${path}.${randomBytes(6).toString("hex")}`
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        await writeFile(decoded, text, { mode: 0o600 })
        await rename(decoded, path)
      } catch (error) {
        await rm(decoded, { force: true })
        throw error
      }
    },
    catch: (cause) => new DemoFileNotWritten({ path, cause })
  })
