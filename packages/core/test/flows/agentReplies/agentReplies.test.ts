import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { anAgent } from "@parley/testkit/rows"
import { Effect, Either, Layer, Ref } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import * as Engine from "../../../src/Engine.js"
import { AdminConversations } from "../../../src/flows/agentReplies/AdminConversations.js"
import { decodeReplyInput } from "../../../src/flows/agentReplies/ReplyInput.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { AdminMessages } from "../../../src/flows/messageAdmin/AdminMessages.js"
import { type Changes, changes, expect as expected, row, set, type TableName } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { AdministratorKeys } from "../../../src/resources/access/AdministratorKeys.js"
import { AdminAgents } from "../../../src/resources/agents/AdminAgents.js"
import { decodeAgentPatch } from "../../../src/resources/agents/AgentInput.js"
import { decodeConversationPatch } from "../../../src/resources/conversations/ConversationInput.js"
import { engine, eventually, newTenant, Provider, type Tenant } from "../../harness.js"

const handle = "+491701000001"

/** The storage, with an effect that runs before the next commit that sets or inserts a row of a table. */
const overtaken = <Out, E>(opened: Layer.Layer<Storage | Out, E>) => {
  const waiting: Array<{ readonly table: TableName; readonly first: Effect.Effect<unknown> }> = []
  const storage = Layer.effect(
    Storage,
    Effect.map(Storage, (inner) => ({
      ...inner,
      commit: (changes: Changes) =>
        Effect.suspend(() => {
          const next = waiting.findIndex(({ table }) =>
            [...changes.sets, ...changes.inserts].some((one) => one.table === table)
          )
          const [one] = next < 0 ? [] : waiting.splice(next, 1)
          return Effect.zipRight(one === undefined ? Effect.void : one.first, inner.commit(changes))
        })
    }))
  )
  const before = <R>(table: TableName, first: Effect.Effect<unknown, unknown, R>) =>
    Effect.map(Effect.context<R>(), (context) => {
      waiting.push({ table, first: Effect.orDie(Effect.provide(first, context)) })
    })
  return { before, storage: Layer.provideMerge(storage, opened) }
}

const receive = ({ connection }: Tenant, id: string) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(connection, { providerMessageId: id, from: handle, body: "hi", displayName: null })
  )
const change = (id: string, json: { readonly [field: string]: unknown }) =>
  Effect.flatMap(AdminConversations, (all) => all.update(id, decodeConversationPatch(json)))
const codeOf = (outcome: Either.Either<unknown, unknown>) =>
  Either.isLeft(outcome) ? (outcome.left as { readonly code?: string }).code : "done"
const eventsOf = (subjectId: string, type: string) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(storage.read({ events: lookup("events", { subjectId }) }), ({ events }) =>
      events.filter((event) => event.type === type).map(({ data }) => JSON.parse(data))
    )
  )

for (const [name, opened] of databases) {
  const { before, storage } = overtaken(opened)
  const live = Layer.mergeAll(Administration.layer, Engine.worker).pipe(Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`conversations and replies on ${name}`, (it) => {
    const statusOf = (id: string) =>
      Effect.map(
        Effect.flatMap(AdminConversations, (all) => all.get(id)),
        ({ conversation }) => conversation.status
      )
    const steps = (id: string) =>
      Effect.map(eventsOf(id, "conversation.status_changed"), (all) =>
        all.map(({ conversation, previous_status }) => `${previous_status} to ${conversation.status}`).sort()
      )

    it.effect("reopens a conversation that is closed while a message arrives", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId } = yield* receive(tenant, "first")
        yield* before("messages", change(conversationId, { status: "closed" }))
        yield* receive(tenant, "second")
        expect(yield* statusOf(conversationId)).toBe("open")
        expect(yield* steps(conversationId)).toEqual(["closed to open", "open to closed"])
      })
    )

    it.effect("decides a change again if a message reopens the conversation concurrently", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId } = yield* receive(tenant, "first")
        yield* change(conversationId, { status: "closed" })
        yield* before("conversations", receive(tenant, "second"))
        yield* change(conversationId, { status: "resolved" })
        expect(yield* statusOf(conversationId)).toBe("resolved")
        expect(yield* steps(conversationId)).toEqual(["closed to open", "open to closed", "open to resolved"])

        yield* before("conversations", receive(tenant, "third"))
        expect(codeOf(yield* Effect.either(change(conversationId, { status: "open" })))).toBe("invalid_transition")
        expect(yield* statusOf(conversationId)).toBe("open")
      })
    )

    it.effect("emits an event for each of several concurrent assignments", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const storage = yield* Storage
        const ids = yield* Ids
        const agents = Array.from({ length: 6 }, (_, n) =>
          anAgent({ id: ids.next(1), workspaceId: tenant.workspace.id, name: `${n}` })
        )
        yield* storage.commit(
          changes(tenant.workspace.id, {
            expects: [expected("workspaces", { id: tenant.workspace.id })],
            inserts: agents.map((agent) => row("agents", agent))
          })
        )
        const { conversationId } = yield* receive(tenant, "first")
        yield* Effect.all(
          agents.map(({ id }) => change(conversationId, { assigned_user_id: id })),
          { concurrency: "unbounded" }
        )
        const reported = yield* eventsOf(conversationId, "conversation.assigned")
        const { conversation } = yield* (yield* AdminConversations).get(conversationId)
        // The events form a chain: from no assignee to the current one.
        const next = new Map(
          reported.map(({ conversation, previous_user_id }) => [previous_user_id, conversation.assigned_user_id])
        )
        let at: string | null = null
        for (let step = 0; step < agents.length; step++) at = next.get(at)
        expect(reported).toHaveLength(agents.length)
        expect(at).toBe(conversation.assignedUserId)
      })
    )

    it.effect("does not assign an agent who becomes inactive concurrently", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const storage = yield* Storage
        const agent = anAgent({ id: (yield* Ids).next(1), workspaceId: tenant.workspace.id })
        yield* storage.commit(
          changes(tenant.workspace.id, {
            expects: [expected("workspaces", { id: tenant.workspace.id })],
            inserts: [row("agents", agent)]
          })
        )
        const { conversationId } = yield* receive(tenant, "first")
        const agents = yield* AdminAgents
        const [assigned] = yield* Effect.all(
          [
            Effect.either(change(conversationId, { assigned_user_id: agent.id })),
            agents.update(agent.id, decodeAgentPatch({ status: "inactive" }))
          ],
          { concurrency: "unbounded" }
        )
        const { conversation } = yield* (yield* AdminConversations).get(conversationId)
        expect(conversation.assignedUserId).toBe(Either.isRight(assigned) ? agent.id : null)
        if (Either.isLeft(assigned)) expect(codeOf(assigned)).toBe("validation_failed")
        expect(codeOf(yield* Effect.either(change(conversationId, { assigned_team_id: agent.id })))).toBe(
          "validation_failed"
        )
      })
    )

    it.effect("sends one reply for several requests with one idempotency key, and each reply without a key", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { conversationId } = yield* receive(tenant, "first")
        const messages = yield* AdminMessages
        const { answerOnce } = yield* AdministratorKeys
        const say = (body: string, key: string | null) => {
          const answer = Effect.map(messages.reply(conversationId, decodeReplyInput({ body })), ({ id }) => ({
            status: 202,
            body: JSON.stringify({ id }),
            replayed: false
          }))
          return key === null
            ? answer
            : answerOnce(
                {
                  actor: "admin",
                  idempotency: { key: `${tenant.workspace.id} ${key}`, fingerprint: body },
                  showsSecret: false
                },
                answer
              )
        }
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => say("once", "key")),
          { concurrency: "unbounded" }
        )
        expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
        expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
        yield* say("twice", null)
        yield* say("twice", null)
        expect(codeOf(yield* Effect.either(say("other", "key")))).toBe("idempotency_conflict")
        const handed = yield* eventually(
          Effect.flatMap(Provider, ({ handed }) => Ref.get(handed)),
          (all) => all.filter(({ body, to }) => to === handle && body === "twice").length === 2
        )
        expect(handed.filter(({ body }) => body === "once" || body === "other")).toHaveLength(1)
        const listed = yield* eventually(
          (yield* Storage).read({ messages: lookup("messages", { conversationId }) }),
          ({ messages }) => messages.filter(({ status }) => status === "sent").length === 3
        )
        expect(listed.messages).toHaveLength(4)
        yield* (yield* Storage).commit(
          changes(tenant.workspace.id, {
            expects: [expected("connections", { id: tenant.connection.id })],
            sets: [set("connections", { id: tenant.connection.id }, { status: "paused" })]
          })
        )
        expect(codeOf(yield* Effect.either(say("late", null)))).toBe("channel_unavailable")
      })
    )
  })
}
