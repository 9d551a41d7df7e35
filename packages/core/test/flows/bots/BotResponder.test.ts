import { expect, layer } from "@effect/vitest"
import { sqlite } from "@parley/testkit/databases"
import { Context, Effect, Layer, TestClock } from "effect"
import { responderTimeout } from "../../../src/flows/bots/answerCustomer.js"
import { minute, second } from "../../../src/model/Instant.js"
import {
  type BotAnswer,
  type BotResponder,
  type BotTurn,
  ResponderUnavailable
} from "../../../src/ports/BotResponder.js"
import { CommitOutcome, Storage } from "../../../src/ports/Storage.js"
import { botsWorld, newBotTenant, notifications, seen, work, write } from "./botsWorld.js"
import { aScript } from "./scripts.js"

const requests: Array<BotTurn> = []
let answer: (turn: BotTurn) => Effect.Effect<BotAnswer, ResponderUnavailable>
const responder: BotResponder = {
  respond: (turn) => {
    requests.push(turn)
    return answer(turn)
  }
}
const modelled = aScript([], { greeting: "Hello!" })

layer(botsWorld(sqlite, responder), { timeout: 60_000 })("a bot without steps", (it) => {
  it.effect("sends the responder's texts; the responder gets the earlier messages and answers", () =>
    Effect.gen(function* () {
      requests.length = 0
      answer = ({ message }) =>
        Effect.succeed(
          message.body === "bye"
            ? { say: ["Bye"], outcome: "finish" as const }
            : { say: [`You wrote ${message.body}.`], answers: { last: message.body }, outcome: "continue" as const }
        )
      const tenant = yield* newBotTenant(modelled)
      for (const [id, body] of ["demo", "more", "bye"].entries()) {
        yield* write(tenant, String(id), body)
        yield* work(tenant)
      }
      const { said, sessions } = yield* seen(tenant)
      expect(said).toEqual(["Hello!", "You wrote demo.", "You wrote more.", "Bye"])
      expect(sessions).toMatchObject([{ outcome: "finished", answers: { last: "more" } }])
      expect(requests.map(({ answers, message }) => [message.body, answers])).toEqual([
        ["demo", {}],
        ["more", { last: "demo" }],
        ["bye", { last: "more" }]
      ])
      expect(requests.at(-1)?.earlier.map(({ body }) => body)).toEqual([
        "demo",
        "Hello!",
        "You wrote demo.",
        "more",
        "You wrote more."
      ])
      expect(requests.at(-1)?.bot).toEqual({ id: tenant.bot.id, name: "Qualify" })
    })
  )

  it.effect("sends files and choices of the responder, and takes no message without any", () =>
    Effect.gen(function* () {
      const options = [{ id: "a", title: "A" }]
      answer = () =>
        Effect.succeed({
          say: [
            { text: "See", attachments: [{ url: "https://a.example/1.png", contentType: "image/png" }] },
            { text: "Which?", content: { type: "choices", options } }
          ],
          outcome: "continue"
        })
      const tenant = yield* newBotTenant(modelled)
      yield* write(tenant, "1", "demo")
      yield* work(tenant)
      expect((yield* seen(tenant)).messages.slice(2)).toMatchObject([
        { type: "media", body: "See", attachments: [{ type: "image" }] },
        { type: "choices", body: "Which?", content: { options: [{ id: "a", title: "A", description: null }] } }
      ])
      answer = () => Effect.succeed({ say: [{ content: { type: "choices", options } }], outcome: "continue" })
      yield* write(tenant, "2", "more")
      yield* work(tenant)
      expect((yield* seen(tenant)).messages).toHaveLength(5)
    })
  )

  it.effect("hands off when the responder asks for it", () =>
    Effect.gen(function* () {
      answer = () => Effect.succeed({ say: ["One moment."], answers: { topic: "refund" }, outcome: "hand_off" })
      const tenant = yield* newBotTenant(modelled)
      yield* write(tenant, "1", "demo")
      yield* work(tenant)
      const { events, said } = yield* seen(tenant)
      expect(said).toEqual(["Hello!", "One moment."])
      expect(events.at(-1)).toMatchObject({ type: "bot.handoff", data: { bot: { answers: { topic: "refund" } } } })
      expect(yield* notifications(tenant)).toEqual([])
    })
  )

  it.effect("retries a responder that fails, times out or returns an invalid answer", () =>
    Effect.gen(function* () {
      const failures: ReadonlyArray<typeof answer> = [
        () => new ResponderUnavailable({ reason: "no model" }),
        () => Effect.die("broken"),
        () => Effect.sync(() => ({}) as BotAnswer),
        () => {
          throw new Error("broken")
        },
        () => Effect.succeed({ say: ["a\u0000b"], outcome: "continue" }),
        () => Effect.succeed({ say: Array.from({ length: 11 }, () => "a"), outcome: "continue" }),
        () => Effect.succeed({ say: [], answers: { "": 1 }, outcome: "continue" })
      ]
      const tenant = yield* newBotTenant(modelled)
      yield* write(tenant, "1", "demo")
      for (const failure of failures) {
        answer = failure
        yield* work(tenant)
        expect((yield* seen(tenant)).sessions).toEqual([])
        yield* TestClock.adjust(minute)
      }
      answer = () => Effect.succeed({ say: ["At last"], outcome: "continue" })
      yield* work(tenant)
      expect((yield* seen(tenant)).said).toEqual(["Hello!", "At last"])
    })
  )

  it.effect("retries a failing responder with backoff, then hands off", () =>
    Effect.gen(function* () {
      requests.length = 0
      answer = () => new ResponderUnavailable({ reason: "no model" })
      const tenant = yield* newBotTenant(modelled)
      yield* write(tenant, "1", "demo")
      for (let passed = 0; passed <= responderTimeout + minute; passed += second) {
        yield* work(tenant)
        yield* TestClock.adjust(second)
      }
      // At 0, 1, 3, 7, 15, 31 and 63 s, then every minute, and once after ten minutes.
      expect(requests).toHaveLength(16)
      const { events, said, sessions } = yield* seen(tenant)
      expect([said, sessions[0]?.status, events.at(-1)?.type]).toEqual([["Hello!"], "handed_off", "bot.handoff"])
      const [notification] = yield* notifications(tenant)
      expect(notification?.message).toContain("no model")
    })
  )
})

layer(botsWorld(sqlite), { timeout: 60_000 })("a bot without steps on a host without a responder", (it) => {
  it.effect("hands off at once and notifies the administrators of the reason", () =>
    Effect.gen(function* () {
      const tenant = yield* newBotTenant(modelled)
      yield* write(tenant, "1", "demo")
      yield* work(tenant)
      const { sessions } = yield* seen(tenant)
      expect(sessions).toMatchObject([{ status: "handed_off" }])
      const [notification] = yield* notifications(tenant)
      expect(notification?.message).toContain("no responder")
    })
  )
})

let conflicts = 0
const conflicting = Layer.map(sqlite, (context) => {
  const inner = Context.get(context, Storage)
  const commit: Storage["commit"] = (changes) =>
    Effect.suspend(() =>
      conflicts-- > 0 ? Effect.succeed(CommitOutcome.Conflict({ lost: ["conversations"] })) : inner.commit(changes)
    )
  return Context.add(context, Storage, { ...inner, commit })
})

layer(botsWorld(conflicting, responder), { timeout: 60_000 })("a bot without steps whose commit conflicts", (it) => {
  it.effect("uses the response to its one question", () =>
    Effect.gen(function* () {
      requests.length = 0
      const tenant = yield* newBotTenant(modelled)
      yield* write(tenant, "1", "demo")
      answer = ({ message }) =>
        Effect.sync(() => {
          conflicts = 2
          return { say: [`You wrote ${message.body}.`], outcome: "continue" as const }
        })
      yield* work(tenant)
      expect(requests).toHaveLength(1)
      expect((yield* seen(tenant)).said).toEqual(["Hello!", "You wrote demo."])
    })
  )
})
