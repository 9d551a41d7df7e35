import { chmod, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { runParley } from "./runParley.js"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-export-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

const page = (cursor: string | null) => ({
  data: [{ id: cursor ?? "first", email: "ada@example.org" }],
  meta: { per_page: 1, has_more: cursor === null },
  links: { next: cursor === null ? "/admin/v1/contacts?cursor=second" : null, prev: null }
})
const failure = { error: { code: "internal_error", message: "It broke.", details: {}, request_id: "r" } }

/** A server with two pages of contacts; `broken`: the second one fails. `onPage` runs before each page. */
const contacts = (broken: boolean, onPage: () => Promise<void> = async () => {}) =>
  Effect.gen(function* () {
    const server = createServer(async (request, response) => {
      const url = new URL(request.url ?? "", "http://unused")
      const cursor = url.searchParams.get("cursor")
      await onPage()
      if (broken && cursor !== null) response.writeHead(500).end(JSON.stringify(failure))
      else response.end(JSON.stringify(page(cursor)))
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close().closeAllConnections())
    )
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const target = ["--workspace", "w", "--server", url, "--token", "t", "--json"]
    return (output: string) => runParley(["contact", "export", "--output", output, "--format", "ndjson", ...target])
  })

const complete = `${JSON.stringify(page(null).data[0])}\n${JSON.stringify(page("second").data[0])}\n`
const namesIn = (path: string) => Effect.promise(async () => (await readdir(path)).sort())
const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))

describe("contact export --output", () => {
  it.scopedLive("keeps an existing file until the export is complete", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "customers.ndjson")
      yield* Effect.promise(() => writeFile(file, "yesterday's"))
      const during: Array<string> = []
      const exporting = yield* contacts(false, async () => void during.push(await readFile(file, "utf8")))
      expect(yield* exporting(file)).toMatchObject({ code: 0 })
      expect(during).toEqual(["yesterday's", "yesterday's"])
      expect(yield* read(file)).toBe(complete)
      expect(yield* namesIn(path)).toEqual(["customers.ndjson"])
    })
  )

  it.scopedLive("leaves an existing file as it was if the export fails, and nothing beside it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "customers.ndjson")
      yield* Effect.promise(() => writeFile(file, "yesterday's"))
      const exporting = yield* contacts(true)
      expect(yield* exporting(file)).toMatchObject({ code: 1, errors: expect.stringContaining("It broke.") })
      expect(yield* read(file)).toBe("yesterday's")
      expect((yield* exporting(join(path, "new.ndjson"))).code).toBe(1)
      expect(yield* namesIn(path)).toEqual(["customers.ndjson"])
    })
  )

  it.scopedLive("keeps the permissions of a file that it replaces, and links to it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [file, linked] = [join(path, "real.ndjson"), join(path, "link.ndjson")]
      yield* Effect.promise(async () => {
        await writeFile(file, "yesterday's")
        await chmod(file, 0o660)
        await symlink("real.ndjson", linked)
      })
      const exporting = yield* contacts(false)
      expect(yield* exporting(linked)).toMatchObject({ code: 0 })
      expect(yield* Effect.promise(() => readlink(linked))).toBe("real.ndjson")
      expect(yield* read(file)).toBe(complete)
      expect((yield* Effect.promise(() => stat(file))).mode & 0o777).toBe(0o660)
    })
  )

  it.scopedLive("refuses a file that another export writes", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "customers.ndjson")
      yield* Effect.promise(() => writeFile(`${file}.partial`, "half"))
      const exporting = yield* contacts(false)
      const { code, errors } = yield* exporting(file)
      expect([code, errors]).toEqual([1, expect.stringContaining(`${file}.partial exists. Another export is running`)])
      expect(yield* read(`${file}.partial`)).toBe("half")
    })
  )

  it.scopedLive("writes to a device directly", () =>
    Effect.gen(function* () {
      const exporting = yield* contacts(false)
      expect(yield* exporting("/dev/null")).toMatchObject({ code: 0 })
      expect((yield* Effect.promise(() => stat("/dev/null"))).isFile()).toBe(false)
    })
  )
})
