import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Fakes } from "./fakes.js"
import { type Served, serve } from "./serve.js"

const link = "/choose?id=given-out"
const option = (id: string, title: string, description: string | null = null) => ({ id, title, description })

/** A service that gave out one link, and the options that were chosen. */
const served = (given: Partial<Fakes> = {}) =>
  Effect.gen(function* () {
    const choices: Array<number> = []
    const question = {
      body: "Is 1 < 2?\nTell <b>us</b>",
      options: [option("y", "Yes & no", 'Second "line"'), option("n", "<script>")]
    }
    const choiceLinks: Fakes["choiceLinks"] = {
      question: (signedId) => Effect.succeed(signedId === "given-out" ? question : null),
      choose: (signedId, number) =>
        Effect.sync(() => {
          const title = signedId === "given-out" ? question.options[number - 1]?.title : undefined
          if (title !== undefined) choices.push(number)
          return title ?? null
        })
    }
    return { ...(yield* serve({ choiceLinks, ...given })), choices }
  })

const call = ({ port }: Served, target: string, method = "GET", body?: string) =>
  Effect.promise(async () => {
    const headers = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }
    const init = { method, headers, redirect: "manual" as const, ...(body === undefined ? {} : { body }) }
    const response = await fetch(`http://127.0.0.1:${port}${target}`, init)
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  })

it.scopedLive("shows the question with a button for each option and changes nothing when a link is fetched", () =>
  Effect.gen(function* () {
    const one = yield* served()
    for (const method of ["GET", "HEAD"]) {
      const answer = yield* call(one, `${link}&option=1`, method)
      expect(answer).toMatchObject({
        status: 200,
        headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }
      })
      expect(answer.headers["content-security-policy"]).toContain("default-src 'none'")
    }
    const { body } = yield* call(one, link)
    expect(body).toContain('<form method="post">')
    expect(body).toContain(
      '<button name="option" value="1" dir="auto">Yes &#38; no<small>Second &#34;line&#34;</small></button>'
    )
    expect(body).toContain('<button name="option" value="2" dir="auto">&#60;script&#62;</button>')
    expect(body).not.toMatch(/<b>|<script/)
    expect(one.choices).toEqual([])
  })
)

it.scopedLive("records a choice by a post, and shows it", () =>
  Effect.gen(function* () {
    const one = yield* served()
    const answer = yield* call(one, link, "POST", "option=2")
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("✓ &#60;script&#62;") })
    expect(one.choices).toEqual([2])
  })
)

it.scopedLive("answers 404 to other links and options, and refuses other requests", () =>
  Effect.gen(function* () {
    const one = yield* served()
    for (const target of ["/choose", "/choose?id=other", "/choose/x?id=given-out"]) {
      expect(yield* call(one, target)).toMatchObject({ status: 404 })
      expect(yield* call(one, target, "POST", "option=1")).toMatchObject({ status: 404 })
    }
    expect(yield* call(one, link, "POST", "option=3")).toMatchObject({ status: 404 })
    for (const body of ["", "option=0", "option=1e1", "option=-1", "option=1000"]) {
      expect(yield* call(one, link, "POST", body)).toMatchObject({ status: 400 })
    }
    expect(yield* call(one, link, "POST", `option=1&a=${"a".repeat(2_000)}`)).toMatchObject({ status: 413 })
    expect(yield* call(one, link, "DELETE")).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, POST" } })
    expect(one.choices).toEqual([])
  })
)

it.scopedLive("limits the requests of an address, whatever their link", () =>
  Effect.gen(function* () {
    const one = yield* served({ anonymousLimit: 3 })
    const statuses: Array<number> = []
    for (const target of [link, "/choose?id=other", link, link]) statuses.push((yield* call(one, target)).status)
    expect(statuses).toEqual([200, 404, 200, 429])
  })
)
