import { randomBytes } from "node:crypto"
import { expect, layer } from "@effect/vitest"
import { AesSecretBox, SecretKey, UuidIds } from "@parley/node"
import { databases } from "@parley/testkit/databases"
import { Effect, Either, Exit, Layer, TestClock } from "effect"
import type { Refusal } from "../../../src/errors/Refusal.js"
import * as Decider from "../../../src/kernel/Decider.js"
import { commitAtOnce } from "../../../src/kernel/deferral.js"
import { decodeListQuery } from "../../../src/kernel/input/ListQuery.js"
import { type CommitError, lookup, Storage } from "../../../src/ports/Storage.js"
import * as AdministratorKeys from "../../../src/resources/access/AdministratorKeys.js"
import * as AdminWorkspaces from "../../../src/resources/access/AdminWorkspaces.js"
import { decodeWorkspaceInput } from "../../../src/resources/access/WorkspaceInput.js"
import { failingCommits, processEnds } from "../../failingCommits.js"
import { heldCommits } from "../../heldCommits.js"

const { AdministratorKeys: Keys, maxAnswerLength, secretRetention } = AdministratorKeys
const day = 24 * 60 * 60 * 1_000
const box = AesSecretBox.layer(Either.getOrThrow(SecretKey.parse(randomBytes(32).toString("base64"), "test")))

/** Creates a workspace of this name, as `POST /workspaces` does. */
const newWorkspace = (name: string) =>
  Effect.flatMap(AdminWorkspaces.AdminWorkspaces, (workspaces) =>
    Effect.map(workspaces.create(decodeWorkspaceInput({ name })), ({ id }) => answer({ data: { id, name } }))
  )
const answer = (body: object) => ({ status: 201, body: JSON.stringify(body), replayed: false })

/** One request under a key. `print` stands for method, path and body. */
const keyed = <R>(
  key: string,
  operation: Effect.Effect<ReturnType<typeof answer>, Refusal | CommitError, R>,
  {
    actor = "admin",
    print = "print",
    showsSecret = false,
    declaredIn
  }: { actor?: string; print?: string; showsSecret?: boolean; declaredIn?: string } = {}
) =>
  Effect.gen(function* () {
    const { answerOnce } = yield* Keys
    const context = yield* Effect.context<R>()
    const request = { actor, idempotency: { key, fingerprint: print }, showsSecret, declaredIn }
    return yield* answerOnce(request, Effect.provide(operation, context))
  })
const named = (name: string) =>
  Effect.flatMap(AdminWorkspaces.AdminWorkspaces, (workspaces) =>
    Effect.map(workspaces.list(decodeListQuery({ limit: "100" })), ({ rows }) =>
      rows.filter((one) => one.name === name)
    )
  )
const recordsOf = (key: string) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.read({ records: lookup("idempotency", { applicationId: "00000000-0000-0000-0000-000000000000", key }) }),
      ({ records }) => records
    )
  )
const refusalOf = (effect: Effect.Effect<unknown, any, any>) =>
  Effect.map(Effect.flip(effect), ({ code, details }) => [code, details.reason])

for (const [name, storage] of databases) {
  const { during, over: held } = heldCommits()
  const { commits, failAt, over } = failingCommits()
  const dying = failingCommits(processEnds)
  const live = Layer.mergeAll(
    Layer.effect(AdminWorkspaces.AdminWorkspaces, AdminWorkspaces.make),
    Layer.effect(AdministratorKeys.AdministratorKeys, AdministratorKeys.make)
  ).pipe(
    Layer.provideMerge(Layer.scoped(Decider.Decider, Decider.make)),
    Layer.provideMerge(Layer.mergeAll(dying.over(over(held(storage))), UuidIds.layer, box))
  )
  layer(live, { timeout: 60_000 })(`a key of an administrator on ${name}`, (it) => {
    it.effect("replays the answer, and refuses another request", () =>
      Effect.gen(function* () {
        const first = yield* keyed("replay", newWorkspace("Replayed"))
        expect(yield* keyed("replay", newWorkspace("Replayed"))).toEqual({ ...first, replayed: true })
        expect(yield* named("Replayed")).toHaveLength(1)
        expect(yield* refusalOf(keyed("replay", newWorkspace("Replayed"), { print: "other" }))).toEqual([
          "idempotency_conflict",
          "different_request"
        ])
      })
    )
    it.effect("belongs to one administrator", () =>
      Effect.gen(function* () {
        const first = yield* keyed("own", newWorkspace("Of one"))
        const other = yield* keyed("own", newWorkspace("Of another"), { actor: "admin: grace", print: "other" })
        expect([first.replayed, other.replayed]).toEqual([false, false])
        expect(yield* keyed("own", newWorkspace("Of another"), { actor: "admin: grace", print: "other" })).toEqual({
          ...other,
          replayed: true
        })
      })
    )
    it.effect("is free after a refusal", () =>
      Effect.gen(function* () {
        const refused = yield* Effect.flip(keyed("refused", newWorkspace("")))
        expect(refused).toMatchObject({ code: "validation_failed" })
        expect((yield* keyed("refused", newWorkspace("Corrected"), { print: "corrected" })).replayed).toBe(false)
      })
    )
    it.effect("has one effect when two requests race: the later gets the answer of the first", () =>
      Effect.gen(function* () {
        const race = Effect.all([keyed("race", newWorkspace("Raced")), keyed("race", newWorkspace("Raced"))], {
          concurrency: 2
        })
        // Both have decided before either of them is written.
        const answers = yield* during(race, ({ claims }) => claims.length > 0, 2, Effect.void)
        expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
        expect(answers.map(({ replayed }) => replayed).sort()).toEqual([false, true])
        expect(yield* named("Raced")).toHaveLength(1)
      })
    )
    it.effect("replays when the operation is refused because of its own first effect", () =>
      Effect.gen(function* () {
        let calls = 0
        const once: Effect.Effect<
          ReturnType<typeof answer>,
          Refusal | CommitError,
          AdministratorKeys.AdministratorKeys | AdminWorkspaces.AdminWorkspaces
        > = Effect.suspend(() => {
          calls += 1
          if (calls > 1) return newWorkspace("")
          return Effect.zipRight(commitAtOnce(keyed("beside", newWorkspace("Beside"))), newWorkspace(""))
        })
        expect((yield* keyed("beside", once)).replayed).toBe(true)
      })
    )
    it.effect("and its change of state are one commit: after a crash both exist or none", () =>
      Effect.gen(function* () {
        for (const [when, kept] of [
          ["before", 0],
          ["after", 1]
        ] as const) {
          const key = `crash ${when}`
          dying.failAt(new Map([[0, when]]))
          expect(Exit.isFailure(yield* Effect.exit(keyed(key, newWorkspace(key))))).toBe(true)
          expect(dying.commits()).toBe(1)
          expect([yield* named(key), yield* recordsOf(key)].map(({ length }) => length)).toEqual([kept, kept])
          const again = yield* keyed(key, newWorkspace(key))
          expect([again.status, again.replayed]).toEqual([201, kept === 1])
          expect(yield* named(key)).toHaveLength(1)
        }
      })
    )
    it.effect("replays after a commit whose outcome was lost", () =>
      Effect.gen(function* () {
        failAt(new Map([[0, "after"]]))
        expect(yield* Effect.flip(keyed("lost", newWorkspace("Lost")))).toMatchObject({ _tag: "StorageUnavailable" })
        expect((yield* keyed("lost", newWorkspace("Lost"))).replayed).toBe(true)
        expect(yield* named("Lost")).toHaveLength(1)
      })
    )
    it.effect("covers an operation without a change of state, and one of several commits", () =>
      Effect.gen(function* () {
        const unchanged = Effect.succeed(answer({ data: { valid: true } }))
        expect((yield* keyed("none", unchanged)).replayed).toBe(false)
        expect((yield* keyed("none", unchanged)).replayed).toBe(true)
        const two = commitAtOnce(Effect.zipRight(newWorkspace("Of two"), newWorkspace("Of two")))
        failAt(new Map())
        expect((yield* keyed("two", two)).replayed).toBe(false)
        expect(commits()).toBe(3)
        expect((yield* keyed("two", two)).replayed).toBe(true)
        expect(yield* named("Of two")).toHaveLength(2)
      })
    )
    it.effect("covers an operation that waits for forked fibers before its commit", () =>
      Effect.gen(function* () {
        const forking = Effect.zipRight(
          Effect.all([Effect.yieldNow(), Effect.yieldNow()], { concurrency: "unbounded" }),
          newWorkspace("Forking")
        )
        failAt(new Map())
        yield* keyed("forking", forking)
        expect(commits()).toBe(1)
      })
    )
    it.effect("refuses to lose the first of two changes of state", () =>
      Effect.gen(function* () {
        const two = Effect.zipRight(newWorkspace("Half"), newWorkspace("Half"))
        expect(Exit.isFailure(yield* Effect.exit(keyed("half", two)))).toBe(true)
        expect(yield* named("Half")).toHaveLength(0)
      })
    )
    it.effect("keeps an answer with a secret sealed, and for ten minutes", () =>
      Effect.gen(function* () {
        const secret = { showsSecret: true }
        const issued = Effect.sync(() => answer({ data: { key: `parley_test_${randomBytes(16).toString("hex")}` } }))
        const first = yield* keyed("secret", issued, secret)
        const [record] = yield* recordsOf("secret")
        expect(record?.body).toMatch(/^v1\./)
        expect(record?.body).not.toContain("parley_test_")
        expect((record?.expiresAt ?? 0) - (record?.createdAt ?? 0)).toBe(secretRetention)
        yield* TestClock.adjust(secretRetention - 1)
        expect(yield* keyed("secret", issued, secret)).toEqual({ ...first, replayed: true })
        yield* TestClock.adjust(1)
        expect((yield* keyed("secret", issued, secret)).replayed).toBe(false)
        yield* Effect.flatMap(Storage, (storage) => storage.purge("idempotency", 2 * secretRetention + 1, 1_000))
        expect(yield* recordsOf("secret")).toEqual([])
      })
    )
    it.effect("keeps other answers for a day", () =>
      Effect.gen(function* () {
        yield* keyed("day", newWorkspace("Day"))
        yield* TestClock.adjust(day - 1)
        expect((yield* keyed("day", newWorkspace("Day"))).replayed).toBe(true)
        yield* TestClock.adjust(1)
        expect((yield* keyed("day", newWorkspace("Day"))).replayed).toBe(false)
      })
    )
    it.effect("does not keep an answer that is too long, and carries the operation out once", () =>
      Effect.gen(function* () {
        const long = Effect.map(newWorkspace("Long"), () => answer({ data: "x".repeat(maxAnswerLength) }))
        expect((yield* keyed("long", long)).status).toBe(201)
        expect((yield* recordsOf("long")).map(({ body }) => body)).toEqual([""])
        expect(yield* refusalOf(keyed("long", long))).toEqual(["idempotency_conflict", "answer_not_kept"])
        expect(yield* named("Long")).toHaveLength(1)
      })
    )
    it.effect("of a declared part keeps the part's id for ever, whatever is requested, and no secret", () =>
      Effect.gen(function* () {
        const declaredIn = "01900000-0000-7000-8000-0000000000d1"
        const secret = "shown-once-and-never-again"
        const part = (name: string) =>
          Effect.map(newWorkspace(name), ({ body, ...rest }) => ({
            ...rest,
            body: JSON.stringify({ data: { ...JSON.parse(body).data, secret } })
          }))
        const race = Effect.all(
          ["one", "two"].map((print) => keyed("part", part("Part"), { print, declaredIn, showsSecret: true })),
          { concurrency: 2 }
        )
        const answers = yield* during(race, ({ claims }) => claims.length > 0, 2, Effect.void)
        const [first] = answers.filter(({ replayed }) => !replayed)
        const { id } = JSON.parse(first?.body ?? "").data
        const replayed = { status: 201, body: JSON.stringify({ data: { id } }), replayed: true }
        expect(answers.filter((one) => one.replayed)).toEqual([replayed])
        yield* TestClock.adjust("3650 days")
        yield* Effect.flatMap(Storage, (storage) => storage.purge("idempotency", 3_650 * day, 1_000))
        expect(yield* keyed("part", part("Part"), { print: "three", declaredIn })).toEqual(replayed)
        expect(yield* named("Part")).toHaveLength(1)
        expect((yield* keyed("part", part("Part"))).replayed).toBe(false)
        const records = yield* Effect.flatMap(Storage, (storage) =>
          storage.read({ records: lookup("idempotency", { applicationId: declaredIn }) })
        )
        expect(JSON.stringify(records)).not.toContain(secret)
      })
    )
  })
}
