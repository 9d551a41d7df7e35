import { createHash } from "node:crypto"
import { expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, TestClock } from "effect"
import { type Challenge, type NewVisitor, proofOfWork, type WebchatOptions } from "../src/index.js"
import { maxAnswered } from "../src/proofOfWork.js"
import { hashStart, solve } from "../widget/proofOfWork.js"
import { memoryContext } from "./memoryContext.js"
import { bodyOf, webchatAt } from "./visits.js"

const work = { bits: 8, fromLoad: 0 }
const chatWith = (options: WebchatOptions = { challenge: proofOfWork(work) }) => {
  const { post, open } = webchatAt(memoryContext(), { options })
  const enter = (answer?: object, token?: string) =>
    Effect.map(post("/session", { answer }, token), (response) => ({
      status: response.status,
      challenge: bodyOf(response).error?.details.challenge as Challenge & { readonly challenge: string }
    }))
  return { post, open, enter }
}
const answerTo = ({ challenge }: { readonly challenge: string }, bits = 8) =>
  Effect.map(
    Effect.promise(() => solve(challenge, bits)),
    (solution) => ({ challenge, solution })
  )

it.effect("a new visitor answers a proof of work once, and then keeps the session", () =>
  Effect.gen(function* () {
    const { enter, post } = chatWith()
    const { challenge, status } = yield* enter()
    expect([status, challenge.type, challenge.bits]).toEqual([403, "proof_of_work", 8])
    const answer = yield* answerTo(challenge)
    const admitted = yield* post("/session", { answer })
    expect(admitted.status).toBe(200)
    expect((yield* enter(undefined, bodyOf(admitted).data.token)).status).toBe(200)
    // The answer is used up: there is another challenge.
    const again = yield* enter(answer)
    expect([again.status, again.challenge.challenge === challenge.challenge]).toEqual([403, false])
  })
)

it.effect("wrong, foreign, altered and late answers are refused with another challenge", () =>
  Effect.gen(function* () {
    const { enter } = chatWith()
    const { challenge } = yield* enter()
    const right = yield* answerTo(challenge)
    const wrong = Array.from({ length: 99 }, (_, n) => `${n}`).find(
      (solution) => Math.clz32(hashStart(`${challenge.challenge.split(".")[3]}.${solution}`)) < 8
    )
    const easier = challenge.challenge.replace(/\.8\./, ".0.")
    expect(easier).not.toBe(challenge.challenge)
    const others = chatWith({ challenge: proofOfWork(work) })
    const elsewhere = proofOfWork(work).issue({ ...someone, sign: () => "m".repeat(43) }) as Challenge & {
      readonly challenge: string
    }
    for (const answer of [
      {},
      { ...right, solution: wrong },
      { ...right, solution: Number(right.solution) },
      { ...right, solution: `${right.solution} ` },
      { challenge: easier, solution: "1" },
      { challenge: 7, solution: "1" },
      yield* answerTo(elsewhere)
    ]) {
      const refused = yield* enter(answer)
      expect([JSON.stringify(answer), refused.status, refused.challenge.type]).toEqual([
        JSON.stringify(answer),
        403,
        "proof_of_work"
      ])
    }
    yield* TestClock.adjust("2 minutes")
    expect((yield* enter(right)).status).toBe(403)
    // Challenges need no storage: another host with the same connection takes the answer.
    const { challenge: fresh } = yield* enter()
    expect((yield* others.enter(yield* answerTo(fresh))).status).toBe(200)
  })
)

it.effect("a proof of work is asked for while many visitors are new", () =>
  Effect.gen(function* () {
    const { enter } = chatWith({ challenge: proofOfWork({ bits: 8 }), bounds: { total: { visitorsPerMinute: 4 } } })
    const statuses = yield* Effect.forEach([1, 2, 3, 4], () => enter())
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 403, 403])
    yield* TestClock.adjust("1 minute")
    expect((yield* enter()).status).toBe(200)
  })
)

it.effect("a host without a challenge asks for nothing, and none asks customers whose id is signed", () =>
  Effect.gen(function* () {
    expect((yield* chatWith({}).enter()).status).toBe(200)
    const never = chatWith({ challenge: { issue: () => ({ type: "x" }), verify: () => false } })
    const { customerSignature } = yield* Effect.promise(() => import("../src/index.js"))
    const body = { customer: "42", signature: customerSignature("i".repeat(32), "42") }
    expect((yield* never.post("/session", body)).status).toBe(200)
  })
)

it.live("a challenge of the host's own may ask another service, and fails closed", () =>
  Effect.gen(function* () {
    const seen: Array<unknown> = []
    const { enter } = chatWith({
      challenge: {
        issue: async () => ({ type: "captcha", site_key: "k" }),
        verify: async (answer, { address, connectionId, load }) => {
          seen.push(answer, address, connectionId, load)
          if (answer.token === "boom") throw new Error("the service is away")
          return answer.token === "good"
        }
      }
    })
    expect((yield* enter()).challenge).toEqual({ type: "captcha", site_key: "k" })
    expect((yield* enter({ token: "bad" })).status).toBe(403)
    expect((yield* enter({ token: "boom" })).status).toBe(503)
    expect((yield* enter({ token: "good" })).status).toBe(200)
    expect(seen.slice(0, 4)).toEqual([{ token: "bad" }, undefined, expect.any(String), 0])
  })
)

it.effect("a challenge is not called without end", () =>
  Effect.gen(function* () {
    let calls = 0
    const challenge = {
      issue: () => ({ type: "captcha" }),
      verify: () => {
        calls++
        return false
      }
    }
    const { enter } = chatWith({ challenge, bounds: { total: { visitorsPerMinute: 2 } } })
    const statuses = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => enter({ token: "bad" }))
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 503, 503])
    expect(calls).toBe(4)
    yield* TestClock.adjust("1 minute")
    expect((yield* enter({ token: "bad" })).status).toBe(403)
  })
)

const someone: NewVisitor = {
  connectionId: "01900000-0000-7000-8000-0000000000c1",
  address: undefined,
  load: 1,
  now: 0,
  sign: (text) => createHash("sha256").update(text).digest("base64url")
}

it("remembers a bounded number of answers", async () => {
  const { issue, verify } = proofOfWork({ bits: 1, fromLoad: 0 })
  const answerAt = async (now: number) => {
    const { challenge } = (await issue({ ...someone, now })) as Challenge & { readonly challenge: string }
    const mac = challenge.split(".")[3]
    const solution = Array.from({ length: 99 }, (_, n) => `${n}`).find((n) => hashStart(`${mac}.${n}`) < 2 ** 31)
    return verify({ challenge, solution }, { ...someone, now })
  }
  for (let count = 0; count < maxAnswered; count++) expect(await answerAt(0)).toBe(true)
  expect(await answerAt(0)).toBe(false)
  expect(await answerAt(120_000)).toBe(true)
})

it("the widget computes the start of SHA-256", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 55, unit: "grapheme-ascii" }), (text) => {
      expect(hashStart(text)).toBe(createHash("sha256").update(text).digest().readUInt32BE())
    })
  )
})
