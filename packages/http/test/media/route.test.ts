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

it.scopedLive("serves a file with its type, as bytes and never as a page, without rate limit", () =>
  Effect.gen(function* () {
    const requests: Array<ReadonlyArray<string>> = []
    const one = yield* served((...parts) => {
      requests.push(parts)
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
    expect(requests).toEqual([[id, "1780000000", "abc"]])
    expect([...one.takenFrom]).toEqual([])
  })
)

it.scopedLive("answers HEAD with the same headers and no bytes", () =>
  Effect.gen(function* () {
    const one = yield* shows({ bytes: Stream.die("must not be read") })
    const answer = yield* call(one, path, "HEAD")
    expect(answer).toMatchObject({ status: 200, body: "", headers: { "content-length": "9" } })
  })
)

it.scopedLive("treats missing parameters as empty", () =>
  Effect.gen(function* () {
    const requests: Array<ReadonlyArray<string>> = []
    const one = yield* served((...parts) => {
      requests.push(parts)
      return Effect.fail(refuse("forbidden"))
    })
    yield* call(one, `/media/${id}`)
    yield* call(one, `/media/${id.toUpperCase()}?signature=a%2Fb&expires=x`)
    expect(requests).toEqual([
      [id, "", ""],
      [id, "x", "a/b"]
    ])
  })
)

for (const [what, target, method, code, status, rateToken] of [
  ["an invalid link", path, "GET", "forbidden", 403, 1],
  ["a deleted file", path, "GET", "not_found", 404, 1],
  ["a file that is being fetched", path, "GET", "service_unavailable", 503, 0],
  ["no id", "/media", "GET", "not_found", 404, 1],
  ["a malformed id", "/media/../etc", "GET", "not_found", 404, 1],
  ["an id with a suffix", `/media/${id}/x`, "GET", "not_found", 404, 1],
  ["another method", path, "POST", "method_not_allowed", 405, 1]
] as const) {
  it.scopedLive(`refuses ${what}`, () =>
    Effect.gen(function* () {
      const one = yield* served(() => Effect.fail(refuse(code === "method_not_allowed" ? "not_found" : code)))
      const answer = yield* call(one, target, method)
      expect(answer.status).toBe(status)
      expect(errorOf(answer.body)).toMatchObject({ code })
      expect([...one.takenFrom.values()].reduce((sum, n) => sum + n, 0)).toBe(rateToken)
      if (status === 503) expect(answer.headers["retry-after"]).toBe("1")
      if (status === 405) expect(answer.headers.allow).toBe("GET, HEAD")
    })
  )
}

it.scopedLive("limits guesses of links", () =>
  Effect.gen(function* () {
    const one = yield* serve({ openFile: () => Effect.fail(refuse("forbidden")), anonymousLimit: 2 })
    for (const status of [403, 403, 429]) expect((yield* call(one)).status).toBe(status)
  })
)

it.scopedLive("answers 503 while the storage is unavailable", () =>
  Effect.gen(function* () {
    const one = yield* served(() => new StorageUnavailable({ cause: "away" }))
    expect((yield* call(one)).status).toBe(503)
  }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
)

it.scopedLive("aborts the response if the bytes fail", () =>
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

const asking = ({ port }: Served, headers: { readonly [name: string]: string }, method = "GET") =>
  Effect.promise(async () => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  })

for (const [range, body, contentRange] of [
  ["bytes=0-0", "a", "bytes 0-0/9"],
  ["bytes=2-5", "pict", "bytes 2-5/9"],
  ["bytes=4-", "cture", "bytes 4-8/9"],
  ["bytes=-3", "ure", "bytes 6-8/9"],
  ["bytes=-100", "a picture", "bytes 0-8/9"],
  ["bytes=8-100", "e", "bytes 8-8/9"]
] as const) {
  it.scopedLive(`serves the range ${range}`, () =>
    Effect.gen(function* () {
      const answer = yield* asking(yield* shows(), { range })
      expect([answer.status, answer.body, answer.headers["content-range"]]).toEqual([206, body, contentRange])
      expect(answer.headers["content-length"]).toBe(String(body.length))
      expect(answer.headers["content-type"]).toBe("image/png")
    })
  )
}

it.scopedLive("reads only the range from a store that can", () =>
  Effect.gen(function* () {
    const slice = (start: number, end: number) => Stream.make(text.subarray(start, end))
    const one = yield* shows({ bytes: Stream.dieMessage("the whole file was read"), slice })
    expect((yield* asking(one, { range: "bytes=-1" })).body).toBe("e")
  })
)

for (const [what, headers] of [
  ["several ranges", { range: "bytes=0-1,3-4" }],
  ["another unit", { range: "lines=0-1" }],
  ["a range that ends before it begins", { range: "bytes=5-2" }],
  ["a range of a version", { range: "bytes=0-1", "if-range": '"one"' }]
] as const) {
  it.scopedLive(`serves the whole file to ${what}`, () =>
    Effect.gen(function* () {
      const answer = yield* asking(yield* shows(), headers)
      expect([answer.status, answer.body, answer.headers["accept-ranges"]]).toEqual([200, "a picture", "bytes"])
    })
  )
}

for (const range of ["bytes=9-", "bytes=100-200", "bytes=-0"]) {
  it.scopedLive(`answers 416 to the range ${range}`, () =>
    Effect.gen(function* () {
      const one = yield* shows({ bytes: Stream.die("must not be read") })
      const answer = yield* asking(one, { range })
      expect([answer.status, answer.headers["content-range"]]).toEqual([416, "bytes */9"])
      expect(errorOf(answer.body)).toMatchObject({ code: "bad_request" })
    })
  )
}

it.scopedLive("reads a file no further than its range", () =>
  Effect.gen(function* () {
    const bytes = Stream.concat(Stream.make(text.subarray(0, 3)), Stream.die("must not be read"))
    expect((yield* asking(yield* shows({ bytes }), { range: "bytes=1-2" })).body).toBe(" p")
  })
)
