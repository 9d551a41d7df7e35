import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Stream, TestClock } from "effect"
import { opened } from "./opened.js"

const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)
const id = "AgACAgIAAxkBAAIBQ2f-photo"

const withFile = Effect.map(opened(), (world) => {
  world.vendor.files.set(id, { path: "photos/file_7.jpg", bytes })
  const { connection, credentials } = world.account
  return { ...world, fetch: (reference: string) => world.provider.fetchFile(connection, credentials, reference) }
})

describe("fetchFile", () => {
  it.scopedLive("brings a file whole", () =>
    Effect.gen(function* () {
      const { fetch } = yield* withFile
      const file = yield* fetch(id)
      expect([file.contentType, file.fileName]).toEqual([null, null])
      expect(Buffer.concat([...(yield* Stream.runCollect(file.bytes))])).toEqual(Buffer.from(bytes))
    })
  )

  it.scopedLive("says that a file is gone, and that one may come later", () =>
    Effect.gen(function* () {
      const { fetch, vendor } = yield* withFile
      const failures: Array<string> = []
      const fails = (reference = id) =>
        Effect.map(Effect.flip(fetch(reference)), ({ _tag, reason }) => failures.push(`${_tag}: ${reason}`))
      yield* fails("no-such-file")
      vendor.files.set("large", { path: "videos/file_8.mp4", bytes: new Uint8Array(20 * 1024 * 1024 + 1) })
      yield* fails("large")
      vendor.refuseNext({
        code: 400,
        description: "Bad Request: wrong file_id or the file is temporarily unavailable"
      })
      yield* fails()
      vendor.refuseNext({ code: 401, description: "Unauthorized" })
      yield* fails()
      vendor.answerNext({ status: 200, body: { ok: true, result: { file_id: id } } })
      yield* fails()
      vendor.answerNext({ status: 200, body: { ok: true, result: { file_id: id, file_path: "photos/other.jpg" } } })
      yield* fails()
      yield* Effect.promise(vendor.stop)
      yield* fails()
      expect(failures.map((failure) => failure.replace(/: the connection.*/, ""))).toEqual([
        "FileGone: status 400",
        "FileGone: it has more than the 20 MB that bots may fetch",
        "ProviderUnavailable: status 400",
        "ProviderUnavailable: status 401",
        "ProviderUnavailable: an answer without a path",
        "ProviderUnavailable: status 404 for the file",
        "ProviderUnavailable"
      ])
    })
  )

  for (const file_path of [
    "../getMe",
    "photos/../../x",
    "/etc/passwd",
    "a?b",
    "a#b",
    "a//b",
    "https://example.com/a",
    ""
  ]) {
    it.scopedLive(`asks for no path such as ${JSON.stringify(file_path)}`, () =>
      Effect.gen(function* () {
        const { fetch, vendor } = yield* withFile
        vendor.answerNext({ status: 200, body: { ok: true, result: { file_id: id, file_path } } })
        expect(yield* Effect.flip(fetch(id))).toMatchObject({ reason: "an answer without a path" })
      })
    )
  }

  it.scopedLive("follows no redirect", () =>
    Effect.gen(function* () {
      const { fetch, vendor } = yield* withFile
      vendor.answerNext({ status: 200, body: { ok: true, result: { file_path: "photos/file_7.jpg" } } })
      vendor.answerNext({ status: 302, headers: { location: "/" }, body: "" })
      expect(yield* Effect.flip(fetch(id))).toMatchObject({ reason: "status 302 for the file" })
    })
  )

  it.scoped("waits no longer than 30 s for an answer", () =>
    Effect.gen(function* () {
      const { fetch, vendor } = yield* withFile
      vendor.ignoreNext()
      const fetching = yield* Effect.fork(Effect.flip(fetch(id)))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(fetching)).toMatchObject({ _tag: "ProviderUnavailable", reason: "no answer in time" })
    })
  )
})
