import { expect, it } from "@effect/vitest"
import { StorageUnavailable } from "@parley/core"
import { Effect } from "effect"
import { isOneClick } from "../src/unsubscribe/isOneClick.js"
import type { Fakes } from "./fakes.js"
import { type Served, serve } from "./serve.js"

const link = "/unsubscribe?id=given-out"
const unknown = "/unsubscribe?id=never-given-out"

/** A service that gave out one link, and the links with which recipients unsubscribed. */
const served = (given: Partial<Fakes> = {}) =>
  Effect.gen(function* () {
    const done: Array<string> = []
    const unsubscribes: Fakes["unsubscribes"] = {
      isSigned: (signedId) => signedId === "given-out",
      unsubscribe: (signedId) => Effect.sync(() => void done.push(signedId))
    }
    return { ...(yield* serve({ unsubscribes, ...given })), done }
  })

const formType = "application/x-www-form-urlencoded"
const oneClick = "List-Unsubscribe=One-Click"
const call = ({ port }: Served, target: string, method = "GET", body?: string | FormData, type = formType) =>
  Effect.promise(async () => {
    const headers = typeof body === "string" ? { "content-type": type } : {}
    const init = { method, headers, redirect: "manual" as const, ...(body === undefined ? {} : { body }) }
    const response = await fetch(`http://127.0.0.1:${port}${target}`, init)
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  })

it.scopedLive("shows a form and changes nothing when a link is fetched", () =>
  Effect.gen(function* () {
    const one = yield* served()
    for (const method of ["GET", "HEAD", "GET"]) {
      const answer = yield* call(one, link, method)
      expect(answer).toMatchObject({
        status: 200,
        headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }
      })
      if (method === "GET") {
        expect(answer.body).toContain('<form method="post">')
        expect(answer.body).toContain('name="List-Unsubscribe" value="One-Click"')
      }
      expect(answer.headers["content-security-policy"]).toContain("default-src 'none'")
    }
    expect(yield* call(one, `${link}&List-Unsubscribe=One-Click`)).toMatchObject({ status: 200 })
    expect(one.done).toEqual([])
  })
)

it.scopedLive("unsubscribes by a post of a mail program, again at each repetition, without redirect or login", () =>
  Effect.gen(function* () {
    const one = yield* served()
    const multipart = new FormData()
    multipart.set("List-Unsubscribe", "One-Click")
    const answers = [
      yield* call(one, link, "POST", oneClick),
      yield* call(one, link, "POST", oneClick),
      yield* call(one, link, "POST", multipart)
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(one.done).toEqual(["given-out", "given-out", "given-out"])
    expect([...one.takenFrom]).toEqual([])
  })
)

it.scopedLive("answers links that were never given out as others, and does nothing", () =>
  Effect.gen(function* () {
    const one = yield* served()
    const same = (answer: Effect.Effect.Success<ReturnType<typeof call>>) => {
      const { date: _, "x-request-id": __, ...headers } = answer.headers
      return { ...answer, headers, body: answer.body.replace(/"request_id":"[^"]*"/, "") }
    }
    const requests = [["GET"], ["HEAD"], ["POST", oneClick], ["POST", "a=b"], ["PUT", "a"], ["POST", "a".repeat(9_000)]]
    for (const [method, body] of requests) {
      const known = same(yield* call(one, link, method, body))
      for (const target of [
        unknown,
        "/unsubscribe",
        "/unsubscribe/",
        "/unsubscribe/given-out",
        "/unsubscribe/x?id=given-out"
      ]) {
        expect(same(yield* call(one, target, method, body)), `${method} ${target}`).toEqual(known)
      }
    }
    expect(one.done).toEqual(["given-out"])
  })
)

it.scopedLive("limits links that were never given out by address, not those of mail providers", () =>
  Effect.gen(function* () {
    const one = yield* served({ anonymousLimit: 2 })
    const statuses: Array<number> = []
    for (const target of [unknown, unknown, unknown, link, unknown]) {
      statuses.push((yield* call(one, target, "POST", oneClick)).status)
    }
    expect(statuses).toEqual([200, 200, 429, 200, 429])
  })
)

it.scopedLive("refuses other posts, methods and long bodies", () =>
  Effect.gen(function* () {
    const one = yield* served()
    expect(yield* call(one, link, "POST", "")).toMatchObject({ status: 400 })
    expect(yield* call(one, link, "POST", "List-Unsubscribe=Two-Clicks")).toMatchObject({ status: 400 })
    expect(yield* call(one, link, "DELETE")).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, POST" } })
    expect(yield* call(one, link, "POST", `${oneClick}&a=${"a".repeat(5_000)}`)).toMatchObject({ status: 413 })
    expect(one.done).toEqual([])
  })
)

it.scopedLive("answers 503 while the storage is unavailable, so that mail programs try again", () =>
  Effect.gen(function* () {
    const down = new StorageUnavailable({ cause: new Error("db-1") })
    const one = yield* served({ unsubscribes: { isSigned: () => true, unsubscribe: () => Effect.fail(down) } })
    expect(yield* call(one, link, "POST", oneClick)).toMatchObject({ status: 503 })
  })
)

it("reads the form in both encodings", () => {
  const part = (disposition: string, value: string) =>
    `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n--edge--\r\n`
  const reads = (text: string) => isOneClick(Buffer.from(text))
  for (const form of [
    oneClick,
    "list=1&List-Unsubscribe=One-Click",
    `${oneClick}\r\n`,
    part('name="List-Unsubscribe"', "One-Click"),
    part("name=List-Unsubscribe", "One-Click").replaceAll("\r\n", "\n"),
    part('name="List-Unsubscribe"\r\nContent-Type: text/plain', "One-Click")
  ]) {
    expect(reads(form), form).toBe(true)
  }
  for (const form of [
    "",
    "One-Click",
    "List-Unsubscribe",
    "x=List-Unsubscribe=One-Click",
    part('name="x"', "One-Click")
  ]) {
    expect(reads(form), form).toBe(false)
  }
})
