import { expect, it } from "@effect/vitest"
import { BlobsUnavailable, type LinkedFile, refuse, StorageUnavailable } from "@parley/core"
import { Effect, Logger, LogLevel, Stream } from "effect"
import type { Fakes } from "../fakes.js"
import { type Served, serve } from "../serve.js"

const id = "0190a1b2-0000-8000-8000-0000000000f1"
const path = `/media/${id}?expires=1780000000&signature=abc`
const text = new TextEncoder().encode("a picture")
const picture: LinkedFile = {
  size: text.length,
  bytes: Stream.make(text.subarray(0, 3), text.subarray(3)),
  contentType: "image/png",
  fileName: "photo.png"
}

const served = (openFile: Fakes["openFile"]) => serve({ openFile })
const shows = (file: Partial<LinkedFile> = {}) => served(() => Effect.succeed({ ...picture, ...file }))
const call = ({ port }: Served, target = path, method = "GET") =>
  Effect.promise(async () => {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { method })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  })
const errorOf = (body: string) => JSON.parse(body).error

it.scopedLive("serves a file as what it is, as bytes and never as a page, and draws on nothing", () =>
  Effect.gen(function* () {
    const asked: Array<ReadonlyArray<string>> = []
    const one = yield* served((...parts) => {
      asked.push(parts)
      return Effect.succeed(picture)
    })
    const answer = yield* call(one)
    expect(answer).toMatchObject({
      status: 200,
      body: "a picture",
      headers: {
        "content-type": "image/png",
        "content-length": "9",
        "content-disposition": 'inline; filename="photo.png"',
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
        "cache-control": "private, max-age=300"
      }
    })
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers).not.toHaveProperty("x-ratelimit-limit")
    expect(asked).toEqual([[id, "1780000000", "abc"]])
    expect([...one.drawnFrom]).toEqual([])
  })
)

it.scopedLive("answers a HEAD with the same head and no bytes", () =>
  Effect.gen(function* () {
    const one = yield* shows({ bytes: Stream.die("nobody reads") })
    const answer = yield* call(one, path, "HEAD")
    expect(answer).toMatchObject({ status: 200, body: "", headers: { "content-length": "9" } })
  })
)

it.scopedLive("asks with what was left out as nothing", () =>
  Effect.gen(function* () {
    const asked: Array<ReadonlyArray<string>> = []
    const one = yield* served((...parts) => {
      asked.push(parts)
      return Effect.fail(refuse("forbidden"))
    })
    yield* call(one, `/media/${id}`)
    yield* call(one, `/media/${id.toUpperCase()}?signature=a%2Fb&expires=x`)
    expect(asked).toEqual([
      [id, "", ""],
      [id, "x", "a/b"]
    ])
  })
)

for (const [what, target, method, code, status, drawn] of [
  ["a link that is not good", path, "GET", "forbidden", 403, 1],
  ["a file that is gone", path, "GET", "not_found", 404, 1],
  ["a file that is on its way", path, "GET", "service_unavailable", 503, 0],
  ["no id", "/media", "GET", "not_found", 404, 1],
  ["an id that is none", "/media/../etc", "GET", "not_found", 404, 1],
  ["an id with more behind it", `/media/${id}/x`, "GET", "not_found", 404, 1],
  ["another method", path, "POST", "method_not_allowed", 405, 1]
] as const) {
  it.scopedLive(`refuses ${what}`, () =>
    Effect.gen(function* () {
      const one = yield* served(() => Effect.fail(refuse(code === "method_not_allowed" ? "not_found" : code)))
      const answer = yield* call(one, target, method)
      expect(answer.status).toBe(status)
      expect(errorOf(answer.body)).toMatchObject({ code })
      expect([...one.drawnFrom.values()].reduce((sum, n) => sum + n, 0)).toBe(drawn)
      if (status === 503) expect(answer.headers["retry-after"]).toBe("1")
      if (status === 405) expect(answer.headers.allow).toBe("GET, HEAD")
    })
  )
}

it.scopedLive("stops answering whoever guesses", () =>
  Effect.gen(function* () {
    const one = yield* serve({ openFile: () => Effect.fail(refuse("forbidden")), anonymousLimit: 2 })
    for (const status of [403, 403, 429]) expect((yield* call(one)).status).toBe(status)
  })
)

it.scopedLive("says 503 while the storage is away", () =>
  Effect.gen(function* () {
    const one = yield* served(() => new StorageUnavailable({ cause: "away" }))
    expect((yield* call(one)).status).toBe(503)
  }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
)

it.scopedLive("breaks the answer off where the bytes do", () =>
  Effect.gen(function* () {
    const broken = Stream.concat(
      Stream.make(text.subarray(0, 3)),
      Stream.fail(new BlobsUnavailable({ reason: "gone" }))
    )
    const one = yield* shows({ bytes: broken })
    const outcome = yield* Effect.either(
      Effect.tryPromise(async () => (await fetch(`http://127.0.0.1:${one.port}${path}`)).text())
    )
    expect(outcome._tag).toBe("Left")
  }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
)
