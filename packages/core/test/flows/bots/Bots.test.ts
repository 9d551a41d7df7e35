import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { anAgent } from "@parley/testkit/rows"
import { Clock, Effect, Exit, TestClock } from "effect"
import { AdminConversations } from "../../../src/flows/agentReplies/AdminConversations.js"
import { decodeReplyInput } from "../../../src/flows/agentReplies/ReplyInput.js"
import { botMessageJobId } from "../../../src/flows/bots/botJobs.js"
import { loadBotWorld } from "../../../src/flows/bots/loadBotWorld.js"
import { startBot } from "../../../src/flows/bots/startBot.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import type { InboundMessage } from "../../../src/flows/inbound/InboundMessage.js"
import { AdminMessages } from "../../../src/flows/messageAdmin/AdminMessages.js"
import type { Bot } from "../../../src/model/Bot.js"
import { minute } from "../../../src/model/Instant.js"
import { changes, expect as expects, row, set } from "../../../src/ports/Changes.js"
import { ChannelProviders } from "../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { decodeConversationPatch } from "../../../src/resources/conversations/ConversationInput.js"
import { failingCommits, processEnds } from "../../failingCommits.js"
import { newTenant, type Tenant } from "../../harness.js"
import { heldCommits, writesMessage } from "../../heldCommits.js"
import {
  addBot,
  botsWorld,
  claim,
  editElsewhere,
  newBotTenant,
  notifications,
  park,
  press,
  reactElsewhere,
  run,
  seen,
  takeOver,
  work,
  write,
  writeElsewhere
} from "./botsWorld.js"
import { aScript, ask, finish, handOff, qualification, say } from "./scripts.js"

const question = "What do you need?"
const whole = ["Hello Ada!", question, "And your name?", "Thank you, Ada!"]

const reply = (conversationId: string) =>
  Effect.flatMap(AdminMessages, (messages) => messages.reply(conversationId, decodeReplyInput({ body: "I am here." })))
const newAgent = ({ workspace }: Tenant) =>
  Effect.gen(function* () {
    const agent = anAgent({ id: (yield* Ids).next(0), workspaceId: workspace.id })
    yield* (yield* Storage).commit(
      changes(workspace.id, { expects: [expects("workspaces", { id: workspace.id })], inserts: [row("agents", agent)] })
    )
    return agent
  })

/** A tenant with a bot of this script on a channel that carries choices. */
const newChoosingTenant = (script: Bot["script"]) =>
  Effect.gen(function* () {
    const tenant = yield* newBotTenant(script)
    const { id } = tenant.connection
    const sets = [set("connections", { id }, { provider: "choosing" })]
    yield* (yield* Storage).commit(changes(tenant.workspace.id, { expects: [expects("connections", { id })], sets }))
    return { ...tenant, connection: { ...tenant.connection, provider: "choosing" } }
  })

const runId = "01900000-0000-7000-8000-00000000aaaa"

/** Starts the tenant's bot in its conversation like a workflow run. */
const startByRun = (tenant: Tenant & { readonly bot: Bot }) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { conversation } = yield* seen(tenant)
    if (conversation === undefined) return expect.unreachable()
    const world = yield* loadBotWorld(storage, yield* ChannelProviders, conversation, tenant.bot.script, null)
    if (world === undefined) return expect.unreachable()
    const origin = { applicationId: tenant.application.id, workflowRunId: runId, messageId: null }
    const { parts } = startBot(world, tenant.bot, origin, yield* Clock.currentTimeMillis, yield* Ids)
    expect((yield* storage.commit(changes(tenant.workspace.id, ...parts)))._tag).toBe("Committed")
  })

for (const [name, opened] of databases) {
  const { during, over } = heldCommits()
  const commits = failingCommits(processEnds)
  layer(botsWorld(over(commits.over(opened))), { timeout: 120_000 })(`a bot on ${name}`, (it) => {
    it.effect("runs its script from keyword to end and emits its events", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        for (const [id, body] of ["hello", "Demo!", "1", "Ada"].entries()) {
          yield* write(tenant, String(id), body)
          yield* work(tenant)
        }
        const { conversation, events, jobs, messages, said, sessions } = yield* seen(tenant)
        expect(said).toEqual(whole)
        expect(sessions).toMatchObject([
          { status: "completed", outcome: "finished", step: null, answers: { need: "prices", name: "Ada" } }
        ])
        expect(conversation?.botSessionId).toBeNull()
        expect(jobs).toEqual([])
        const [session] = sessions
        const own = messages.filter(({ direction }) => direction === "outbound")
        expect(own.map(({ agentId, applicationId, botSessionId }) => [agentId, applicationId, botSessionId])).toEqual(
          own.map(() => [null, null, session?.id])
        )
        const reported = events.filter(({ type }) => type.startsWith("bot."))
        const bot = { id: tenant.bot.id, name: "Qualify", session_id: session?.id, started_at: expect.any(String) }
        expect(reported.map(({ data, type }) => [type, data.bot, data.conversation.id])).toEqual([
          ["bot.started", bot, conversation?.id],
          ["bot.completed", { ...bot, answers: { need: "prices", name: "Ada" }, outcome: "finished" }, conversation?.id]
        ])
      })
    )

    it.effect("reports its start before its messages", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        const { conversation, messages } = yield* seen(tenant)
        const store = yield* Storage
        const found = yield* Effect.forEach([conversation, ...messages], (subject) =>
          store.read({ events: lookup("events", { subjectId: subject?.id ?? "" }) })
        )
        const events = found.flatMap(({ events }) => events).sort((one, other) => (one.id < other.id ? -1 : 1))
        expect(events.map(({ type }) => type)).toEqual([
          "conversation.created",
          "message.received",
          "bot.started",
          "message.queued",
          "message.queued"
        ])
      })
    )

    it.effect(
      "asks with options where the channel carries them, and tells apart the press of an earlier question",
      () =>
        Effect.gen(function* () {
          const choice = (key: string, ...texts: ReadonlyArray<string>) =>
            ask(key, `${key}?`, {
              expected: { type: "choice", choices: texts.map((text) => ({ value: text, text, goTo: null })) }
            })
          const script = aScript([
            choice("size", "S", "L"),
            choice("color", "red", "blue"),
            ask("note", "Note?"),
            finish("end")
          ])
          const tenant = yield* newChoosingTenant(script)
          const questions = Effect.map(seen(tenant), ({ messages }) =>
            messages.filter(({ direction }) => direction === "outbound")
          )
          yield* write(tenant, "1", "demo")
          yield* work(tenant)
          const [size] = yield* questions
          if (size === undefined) return expect.unreachable()
          expect(size).toMatchObject({
            type: "choices",
            body: "size?",
            content: {
              type: "choices",
              options: [
                { id: "S", title: "S" },
                { id: "L", title: "L" }
              ]
            }
          })
          yield* press(tenant, "2", "L", "L", size)
          yield* work(tenant)
          const color = (yield* questions)[1]
          if (color === undefined) return expect.unreachable()
          // A second press of the first question repeats the second one.
          yield* press(tenant, "3", "S", "S", size)
          yield* work(tenant)
          expect((yield* questions).map(({ body }) => body)).toEqual(["size?", "color?", "color?"])
          expect((yield* seen(tenant)).sessions).toMatchObject([{ step: "color", tries: 1, answers: { size: "L" } }])
          // The repeated question and the first one are the same.
          yield* press(tenant, "4", "blue", "blue", color)
          yield* work(tenant)
          // A question for a text is not answered by an old option.
          yield* press(tenant, "5", "red", "red", color)
          yield* work(tenant)
          yield* write(tenant, "6", "thanks")
          yield* work(tenant)
          expect((yield* seen(tenant)).sessions).toMatchObject([
            { outcome: "finished", answers: { size: "L", color: "blue", note: "thanks" } }
          ])
        })
    )

    it.effect("takes no press of an answered question as the answer to the next one with the same options", () =>
      Effect.gen(function* () {
        const choices = ["yes", "no"].map((text) => ({ value: text, text, goTo: null }))
        const yesOrNo = (key: string) => ask(key, `${key}?`, { expected: { type: "choice", choices } })
        const tenant = yield* newChoosingTenant(
          aScript([yesOrNo("delivery"), yesOrNo("insurance"), yesOrNo("terms"), finish("end")])
        )
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        const questions = Effect.map(seen(tenant), ({ messages }) =>
          messages.filter(({ direction }) => direction === "outbound")
        )
        const [delivery] = yield* questions
        if (delivery === undefined) return expect.unreachable()
        // A double tap.
        yield* press(tenant, "2", "yes", "yes", delivery)
        yield* press(tenant, "3", "yes", "yes", delivery)
        yield* work(tenant)
        expect((yield* questions).map(({ body }) => body)).toEqual(["delivery?", "insurance?", "insurance?"])
        expect((yield* seen(tenant)).sessions).toMatchObject([
          { step: "insurance", tries: 1, answers: { delivery: "yes" } }
        ])
        // The second question is answered by a text, and pressed then.
        const insurance = (yield* questions)[1]
        if (insurance === undefined) return expect.unreachable()
        yield* write(tenant, "4", "no")
        yield* press(tenant, "5", "yes", "yes", insurance)
        yield* work(tenant)
        expect((yield* seen(tenant)).sessions).toMatchObject([
          { step: "terms", tries: 1, answers: { delivery: "yes", insurance: "no" } }
        ])
      })
    )

    it.effect("takes the number of an option as its choice where the channel has none", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        const question = (yield* seen(tenant)).messages.at(-1)
        if (question === undefined) return expect.unreachable()
        expect(question).toMatchObject({ type: "choices", body: "What do you need?" })
        const where = { id: question.id }
        const sets = [set("messages", where, { status: "sent" })]
        yield* (yield* Storage).commit(changes(tenant.workspace.id, { expects: [expects("messages", where)], sets }))
        const answer = yield* write(tenant, "2", "1")
        expect(answer).toMatchObject({ type: "choice", body: "Prices", content: { id: "prices" } })
        yield* work(tenant)
        expect((yield* seen(tenant)).sessions).toMatchObject([{ step: "name", answers: { need: "prices" } }])
      })
    )

    it.effect("takes an album as one answer", () =>
      Effect.gen(function* () {
        const photos = (groupId: string, ...bodies: ReadonlyArray<string>) =>
          Effect.forEach(bodies, (body, n) =>
            Effect.flatMap(Inbound, (inbound) =>
              inbound.receive(tenant.connection, {
                ...{ providerMessageId: `${groupId} ${n}`, from: "+491701000001", displayName: "Ada" },
                ...{ body, groupId }
              })
            )
          )
        const tenant = yield* newBotTenant(qualification)
        yield* photos("start", "demo", "", "")
        yield* work(tenant)
        expect(yield* seen(tenant)).toMatchObject({
          said: ["Hello Ada!", question],
          sessions: [{ step: "need", tries: 1 }]
        })
        yield* photos("wrong", "", "", "", "")
        yield* work(tenant)
        expect(yield* seen(tenant)).toMatchObject({ sessions: [{ status: "active", step: "need", tries: 2 }] })
        yield* photos("right", "prices", "", "")
        yield* work(tenant)
        expect(yield* seen(tenant)).toMatchObject({
          sessions: [{ step: "name", tries: 1, answers: { need: "prices" } }]
        })
      })
    )

    it.effect("sends files, and fails with a reason if the channel does not carry a message", () =>
      Effect.gen(function* () {
        const files = [
          { url: "https://a.example/{{contact.first_name}}.png", contentType: "image/png", fileName: null }
        ]
        const place = { type: "location", latitude: 1, longitude: 2 } as const
        const tenant = yield* newBotTenant(
          aScript([
            { key: "file", type: "say", text: "See", files, goTo: null },
            ask("q", "Fine?"),
            { key: "place", type: "say", text: null, content: place, goTo: null }
          ])
        )
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        const { conversation, messages } = yield* seen(tenant)
        const media = messages.find(({ type }) => type === "media")
        expect(media).toMatchObject({ body: "See", attachments: [{ type: "image" }] })
        const { files: fetched } = yield* (yield* Storage).read({
          files: lookup("attachedFiles", { messageId: media?.id ?? "" })
        })
        expect(fetched).toMatchObject([{ reference: "https://a.example/Ada.png", status: "waiting" }])
        expect(conversation?.botSessionId).not.toBeNull()
        yield* write(tenant, "2", "yes")
        yield* work(tenant)
        expect((yield* seen(tenant)).sessions).toMatchObject([{ outcome: "failed" }])
        expect(yield* notifications(tenant)).toMatchObject([
          {
            message: expect.stringContaining(
              "One of its messages cannot be sent: type must be one of text, template, media on this channel."
            )
          }
        ])
      })
    )

    it.effect("numbers the options that are too many or too long for the channel", () =>
      Effect.gen(function* () {
        const texts = ["A long option", "B"]
        const choices = texts.map((text) => ({ value: text[0] ?? "", text, goTo: null }))
        const tenant = yield* newChoosingTenant(
          aScript([ask("q", "Which?", { expected: { type: "choice", choices } })])
        )
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        expect((yield* seen(tenant)).said).toEqual(["Which?\n1. A long option\n2. B"])
      })
    )

    it.effect("starts with a new conversation on its connection", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(aScript([], { start: { keywords: ["x"], newConversationOn: [] } }))
        yield* (yield* Storage).commit(
          changes(tenant.workspace.id, {
            expects: [expects("bots", { id: tenant.bot.id })],
            sets: [
              set(
                "bots",
                { id: tenant.bot.id },
                {
                  script: aScript([ask("q", "How can I help?")], {
                    start: { keywords: [], newConversationOn: [tenant.connection.id] }
                  })
                }
              )
            ]
          })
        )
        yield* write(tenant, "1", "hello")
        yield* work(tenant)
        expect((yield* seen(tenant)).said).toEqual(["How can I help?"])
      })
    )

    it.effect("answers each message once and in order, for any order of jobs and hosts", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        for (const [id, body] of ["demo", "1", "Ada"].entries()) yield* write(tenant, String(id), body)
        // The vendor redelivers all messages.
        for (const [id, body] of ["demo", "1", "Ada"].entries()) yield* write(tenant, String(id), body)
        const jobs = yield* claim(tenant)
        expect(jobs).toHaveLength(3)
        yield* Effect.forEach([...jobs].reverse().concat(jobs), run, { concurrency: "unbounded" })
        const { jobs: left, said, sessions } = yield* seen(tenant)
        expect(said).toEqual(whole)
        expect(sessions).toHaveLength(1)
        expect(left).toEqual([])
      })
    )

    it.effect("continues after a crash before or after any commit", () =>
      Effect.gen(function* () {
        for (const when of ["before", "after"] as const) {
          for (let commit = 0; commit < 4; commit++) {
            const tenant = yield* newBotTenant(qualification)
            for (const [id, body] of ["demo", "1", "Ada"].entries()) yield* write(tenant, String(id), body)
            const jobs = yield* claim(tenant)
            commits.failAt(new Map([[commit, when]]))
            const exits = yield* Effect.forEach(jobs, (job) => Effect.exit(run(job)))
            expect(exits.some(Exit.isFailure)).toBe(commit < 3)
            commits.failAt(new Map())
            yield* takeOver(tenant)
            const { events, said, sessions } = yield* seen(tenant)
            expect(said).toEqual(whole)
            expect(sessions).toMatchObject([{ outcome: "finished" }])
            expect(events.filter(({ type }) => type.startsWith("bot."))).toHaveLength(2)
          }
        }
      })
    )

    it.effect("stops and sends nothing more when an agent replies", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        const { conversationId } = yield* write(tenant, "1", "demo")
        yield* work(tenant)
        yield* write(tenant, "2", "prices")
        const [job] = yield* claim(tenant)
        if (job === undefined) return expect.unreachable()
        // The agent replies between the bot's decision and its commit.
        yield* during(
          run(job),
          ({ sets }) => sets.some(({ table }) => table === "botSessions"),
          1,
          reply(conversationId)
        )
        const { conversation, events, jobs, said, sessions } = yield* seen(tenant)
        expect(said).toEqual(["Hello Ada!", question, "I am here."])
        expect(sessions).toMatchObject([{ status: "completed", outcome: "stopped", answers: {} }])
        expect(conversation?.botSessionId).toBeNull()
        expect(jobs).toEqual([])
        expect(events.at(-1)).toMatchObject({ type: "bot.completed", data: { bot: { outcome: "stopped" } } })
      })
    )

    it.effect(
      "stops when the business writes elsewhere, but not by what may be its own message, or by an edit or a reaction",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newBotTenant(qualification)
          yield* write(tenant, "1", "demo")
          yield* work(tenant)
          const { conversation: there } = yield* seen(tenant)
          const store = yield* Storage
          const queued = yield* store.list({
            from: "messages",
            where: { conversationId: there?.id ?? "" },
            after: null,
            limit: 10
          })
          // The bot's messages are being handed over: the vendor may have changed the text of one.
          for (const { id } of queued.filter(({ direction }) => direction === "outbound")) {
            const sets = [set("jobs", { id }, { attempts: 1 })]
            yield* store.commit(changes(tenant.workspace.id, { expects: [expects("jobs", { id })], sets }))
          }
          yield* writeElsewhere(tenant, "2", "Hello  Ada", true)
          yield* editElsewhere(tenant, "e", "Hello  Ada.", "2")
          yield* reactElsewhere(tenant, "r", "1")
          expect((yield* seen(tenant)).sessions).toMatchObject([{ status: "active" }])
          yield* writeElsewhere(tenant, "3", "I am here.")
          const { conversation, events, sessions } = yield* seen(tenant)
          expect(sessions).toMatchObject([{ status: "completed", outcome: "stopped" }])
          expect(conversation?.botSessionId).toBeNull()
          expect(events.filter(({ type }) => type === "bot.completed")).toHaveLength(1)
          yield* write(tenant, "4", "prices")
          yield* work(tenant)
          const said = ["Hello Ada!", question, "Hello  Ada", "Hello  Ada.", "👍", "I am here."]
          expect((yield* seen(tenant)).said).toEqual(said)
        })
    )

    it.effect("does not continue when an agent replies during its start", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        const { conversationId } = yield* write(tenant, "1", "demo")
        const starts = work(tenant)
        yield* during(reply(conversationId), writesMessage, 1, starts)
        const { said, sessions } = yield* seen(tenant)
        // The bot started before the reply was committed, so the reply was decided again.
        expect(sessions).toMatchObject([{ outcome: "stopped" }])
        expect(said).toContain("I am here.")
      })
    )

    it.effect("does not start once a person has taken over, also if its job is late or parked", () =>
      Effect.gen(function* () {
        const update = (json: { readonly [field: string]: unknown }) => (id: string) =>
          Effect.flatMap(AdminConversations, (all) => all.update(id, decodeConversationPatch(json)))
        const agent = (tenant: Tenant) => Effect.map(newAgent(tenant), ({ id }) => update({ assigned_user_id: id }))
        for (const takesOver of [
          () => Effect.succeed(reply),
          () => Effect.succeed(update({ status: "closed" })),
          agent,
          (tenant: Tenant) => Effect.succeed(() => writeElsewhere(tenant, "9", "I am here."))
        ]) {
          const tenant = yield* newBotTenant(qualification)
          const takeOver = yield* takesOver(tenant)
          yield* write(tenant, "1", "demo")
          yield* park(tenant, () => true)
          const { conversationId } = yield* write(tenant, "2", "demo")
          yield* takeOver(conversationId)
          expect(yield* seen(tenant)).toMatchObject({ sessions: [], jobs: [] })
          const { parked } = yield* (yield* Storage).read({
            parked: lookup("jobs", { lane: "parked", subject: conversationId })
          })
          expect(parked).toEqual([])
          // Later messages start it.
          yield* write(tenant, "3", "demo")
          yield* work(tenant)
          expect((yield* seen(tenant)).sessions).toMatchObject([{ status: "active" }])
        }
      })
    )

    it.effect("does not start if an agent replies between its decision and its commit", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        const { conversationId } = yield* write(tenant, "1", "demo")
        const [job] = yield* claim(tenant)
        if (job === undefined) return expect.unreachable()
        yield* during(
          run(job),
          ({ inserts }) => inserts.some(({ table }) => table === "botSessions"),
          1,
          reply(conversationId)
        )
        expect(yield* seen(tenant)).toMatchObject({ said: ["I am here."], sessions: [], jobs: [] })
      })
    )

    it.effect("reports the conversation as it is at the commit, also if it changes concurrently", () =>
      Effect.gen(function* () {
        const setPending = (id: string) =>
          Effect.flatMap(AdminConversations, (all) => all.update(id, decodeConversationPatch({ status: "pending" })))
        const statuses = (tenant: Tenant) =>
          Effect.map(seen(tenant), ({ events }) =>
            events
              .filter(({ type }) => type.startsWith("bot."))
              .map(({ data, type }) => `${type} ${data.conversation.status}`)
          )
        // The first turn fails, because the customer has opted out.
        const optedOut = yield* newBotTenant(qualification)
        yield* write(optedOut, "1", "stop")
        yield* work(optedOut)
        const { conversationId } = yield* write(optedOut, "2", "demo")
        const [job] = yield* claim(optedOut)
        if (job === undefined) return expect.unreachable()
        const startsBot: Parameters<typeof during>[1] = ({ inserts }) =>
          inserts.some(({ table }) => table === "botSessions")
        yield* during(run(job), startsBot, 1, setPending(conversationId))
        expect(yield* statuses(optedOut)).toEqual(["bot.started pending", "bot.completed pending"])

        for (const takesOver of [
          (_: Tenant, id: string): Effect.Effect<unknown, unknown, AdminMessages | Inbound> => reply(id),
          (tenant: Tenant) => writeElsewhere(tenant, "2", "I am here.")
        ]) {
          const tenant = yield* newBotTenant(qualification)
          const { conversationId } = yield* write(tenant, "1", "demo")
          yield* work(tenant)
          yield* during(takesOver(tenant, conversationId), writesMessage, 1, setPending(conversationId))
          expect(yield* statuses(tenant)).toEqual(["bot.started open", "bot.completed pending"])
        }
      })
    )

    it.effect("does not continue when the business writes elsewhere during its start", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo")
        yield* during(writeElsewhere(tenant, "2", "I am here."), writesMessage, 1, work(tenant))
        const { said, sessions } = yield* seen(tenant)
        // As with a reply.
        expect(sessions).toMatchObject([{ outcome: "stopped" }])
        expect(said).toContain("I am here.")
      })
    )

    it.effect("stops when the conversation is assigned or closed", () =>
      Effect.gen(function* () {
        const update = (id: string, json: { readonly [field: string]: unknown }) =>
          Effect.flatMap(AdminConversations, (all) => all.update(id, decodeConversationPatch(json)))
        const tenant = yield* newBotTenant(qualification)
        const agent = yield* newAgent(tenant)
        const { conversationId } = yield* write(tenant, "1", "demo")
        yield* work(tenant)
        yield* update(conversationId, { status: "pending" })
        expect((yield* seen(tenant)).sessions).toMatchObject([{ status: "active" }])
        yield* update(conversationId, { assigned_user_id: agent.id })
        const { conversation, events } = yield* seen(tenant)
        expect(conversation).toMatchObject({ botSessionId: null, assignedUserId: agent.id })
        expect(events.slice(-2)).toMatchObject([
          { type: "conversation.assigned" },
          { type: "bot.completed", data: { bot: { outcome: "stopped" }, conversation: { assigned_user_id: agent.id } } }
        ])
        yield* write(tenant, "2", "demo")
        yield* work(tenant)
        yield* update(conversationId, { status: "closed" })
        expect((yield* seen(tenant)).sessions.map(({ outcome }) => outcome)).toEqual(["stopped", "stopped"])
      })
    )

    it.effect("hands off to the script's assignee with its answers", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(aScript([]))
        const agent = yield* newAgent(tenant)
        const script = aScript([ask("name", "Your name?"), handOff("person", { text: "Bye", agentId: agent.id })])
        yield* (yield* Storage).commit(
          changes(tenant.workspace.id, {
            expects: [expects("bots", { id: tenant.bot.id })],
            sets: [set("bots", { id: tenant.bot.id }, { script })]
          })
        )
        for (const [id, body] of ["demo", "Ada"].entries()) yield* write(tenant, String(id), body)
        yield* work(tenant)
        const { conversation, events, said, sessions } = yield* seen(tenant)
        expect(said).toEqual(["Your name?", "Bye"])
        expect(sessions).toMatchObject([{ status: "handed_off", outcome: null, answers: { name: "Ada" } }])
        expect(conversation).toMatchObject({ assignedUserId: agent.id, botSessionId: null })
        expect(events.slice(-2)).toMatchObject([
          { type: "conversation.assigned", data: { previous_user_id: null } },
          { type: "bot.handoff", data: { bot: { answers: { name: "Ada" } } } }
        ])
        expect(yield* notifications(tenant)).toEqual([])
      })
    )

    it.effect("hands off without an assignee and notifies administrators if the agent no longer exists", () =>
      Effect.gen(function* () {
        const agentId = "01900000-0000-7000-8000-00000000dead"
        const tenant = yield* newBotTenant(aScript([handOff("person", { agentId })]))
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        const { conversation, events } = yield* seen(tenant)
        expect(conversation?.assignedUserId).toBeNull()
        expect(events.at(-1)?.type).toBe("bot.handoff")
        expect(yield* notifications(tenant)).toMatchObject([{ kind: "bot.handed_off", subjectId: tenant.bot.id }])
      })
    )

    it.effect("times out counted from its last question", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        yield* TestClock.adjust(20 * minute)
        yield* write(tenant, "2", "prices")
        yield* work(tenant)
        yield* TestClock.adjust(20 * minute)
        yield* work(tenant)
        expect((yield* seen(tenant)).sessions).toMatchObject([{ status: "active", step: "name" }])
        yield* TestClock.adjust(10 * minute)
        yield* work(tenant)
        const { conversation, events, jobs, said, sessions } = yield* seen(tenant)
        expect(sessions).toMatchObject([{ outcome: "timed_out", reason: null, answers: { need: "prices" } }])
        expect(said.at(-1)).toBe("Are you there?")
        expect(events.at(-1)).toMatchObject({ type: "bot.completed", data: { bot: { outcome: "timed_out" } } })
        expect([conversation?.botSessionId, jobs]).toEqual([null, []])
      })
    )

    it.effect("times out without its text if the customer opted out, and keeps the reason", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        yield* write(tenant, "2", "STOP")
        yield* TestClock.adjust(30 * minute)
        yield* work(tenant)
        const { said, sessions } = yield* seen(tenant)
        expect(said.at(-1)).toBe(question)
        const reason = "The customer has opted out of messages."
        expect(sessions).toMatchObject([{ outcome: "timed_out", reason }])
        expect(yield* notifications(tenant)).toEqual([])
      })
    )

    it.effect("accepts an answer that arrived in time, even if it is processed late", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        yield* TestClock.adjust(29 * minute)
        yield* write(tenant, "2", "prices")
        yield* TestClock.adjust(10 * minute)
        const jobs = yield* claim(tenant)
        const timeOutFirst = [...jobs].sort((one) => (one.payload?.task === "time_out_bot" ? -1 : 1))
        expect(timeOutFirst.map(({ payload }) => payload?.task)).toEqual(["time_out_bot", "converse"])
        yield* Effect.forEach(timeOutFirst, run)
        expect((yield* seen(tenant)).sessions).toMatchObject([{ status: "active", step: "name" }])
      })
    )

    it.effect("times out beside the parked job of a message, and answers the next one", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        yield* write(tenant, "2", "prices")
        yield* park(tenant, (job) => job.payload?.task === "converse")
        yield* write(tenant, "3", "prices")
        yield* work(tenant)
        expect((yield* seen(tenant)).sessions).toMatchObject([{ status: "active", step: "name" }])
        yield* TestClock.adjust(30 * minute)
        yield* work(tenant)
        expect((yield* seen(tenant)).sessions).toMatchObject([{ outcome: "timed_out" }])
      })
    )

    it.effect("takes no message whose parked job is retried as the answer to a later question", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        yield* TestClock.adjust(minute)
        const { id: messageId } = yield* write(tenant, "2", "prices")
        yield* park(tenant, (job) => job.payload?.task === "converse")
        yield* TestClock.adjust(minute)
        yield* write(tenant, "3", "prices")
        yield* work(tenant)
        const key = { id: botMessageJobId(messageId) }
        const sets = [set("jobs", key, { lane: "runs", runAt: yield* Clock.currentTimeMillis })]
        yield* (yield* Storage).commit(changes(tenant.workspace.id, { expects: [expects("jobs", key)], sets }))
        yield* work(tenant)
        expect(yield* seen(tenant)).toMatchObject({
          said: ["Hello Ada!", question, "And your name?"],
          sessions: [{ step: "name", tries: 1, answers: { need: "prices" } }],
          jobs: [{ payload: { task: "time_out_bot" } }]
        })
      })
    )

    it.effect("starts with a customer's first message after the business wrote first", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const script = aScript([ask("need", question)], {
          start: { keywords: [], newConversationOn: [tenant.connection.id] }
        })
        yield* addBot(tenant, script)
        yield* writeElsewhere(tenant, "1", "Your order is on its way.")
        yield* TestClock.adjust(minute)
        yield* write(tenant, "2", "Where is it?")
        yield* work(tenant)
        const { conversation, said, sessions } = yield* seen(tenant)
        expect(said).toEqual(["Your order is on its way.", question])
        expect(sessions).toMatchObject([{ status: "active" }])
        yield* reply(conversation?.id ?? "")
        yield* write(tenant, "3", "Hello again")
        yield* work(tenant)
        expect((yield* seen(tenant)).sessions).toMatchObject([{ outcome: "stopped" }])
      })
    )

    const openings: ReadonlyArray<readonly [what: string, opening: Partial<InboundMessage>]> = [
      ["a link that opened the chat", { body: "Came by shortlink", content: { type: "system", event: "referral" } }],
      ["a reaction", { body: "👍", content: { type: "reaction", emoji: "👍" } }],
      ["something that cannot be read", { body: "?", content: { type: "unsupported", kind: "poll" } }],
      ["an automatic answer", { body: "I am out of office.", automatic: true }]
    ]
    for (const [what, opening] of openings) {
      it.effect(`starts with a customer's first message after ${what}`, () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const script = aScript([ask("need", question)], {
            start: { keywords: [], newConversationOn: [tenant.connection.id] }
          })
          yield* addBot(tenant, script)
          const { receive } = yield* Inbound
          const from = { providerMessageId: "1", from: "+491701000001", displayName: null }
          yield* receive(tenant.connection, { body: "", ...from, ...opening })
          yield* work(tenant)
          expect((yield* seen(tenant)).sessions).toEqual([])
          yield* TestClock.adjust(minute)
          yield* write(tenant, "2", "What does it cost?")
          yield* work(tenant)
          expect((yield* seen(tenant)).said).toEqual([question])
        })
      )
    }

    it.effect("either times out or continues if an answer arrives at the time-out", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        yield* TestClock.adjust(30 * minute)
        const [timeOut] = yield* claim(tenant)
        if (timeOut === undefined) return expect.unreachable()
        const answer = Effect.zipRight(write(tenant, "2", "prices"), work(tenant))
        yield* during(run(timeOut), ({ sets }) => sets.some(({ table }) => table === "botSessions"), 1, answer)
        const { events, said, sessions } = yield* seen(tenant)
        expect(sessions).toMatchObject([{ status: "active", step: "name" }])
        expect(said).toEqual(["Hello Ada!", question, "And your name?"])
        expect(events.filter(({ type }) => type === "bot.completed")).toEqual([])
      })
    )

    it.effect("started by a workflow answers a message stored during its start, and no earlier one", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant({ ...qualification, start: { keywords: [], newConversationOn: [] } })
        yield* write(tenant, "1", "support")
        yield* TestClock.adjust(minute)
        // Decided before the bot started, committed after.
        yield* during(
          write(tenant, "2", "prices"),
          writesMessage,
          1,
          Effect.zipRight(TestClock.adjust(1), startByRun(tenant))
        )
        yield* work(tenant)
        const { events, messages, said, sessions } = yield* seen(tenant)
        expect(said).toEqual(["Hello Ada!", question, "And your name?"])
        expect(sessions).toMatchObject([{ workflowRunId: runId, applicationId: tenant.application.id }])
        expect(new Set(messages.map((message) => message.workflowRunId))).toEqual(new Set([null, runId]))
        expect(events.at(-1)).toMatchObject({ type: "bot.started", applicationId: tenant.application.id })
      })
    )

    it.effect("started by a workflow does not take an earlier message as an answer", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "prices")
        yield* TestClock.adjust(1)
        yield* startByRun(tenant)
        yield* work(tenant)
        expect(yield* seen(tenant)).toMatchObject({ sessions: [{ step: "need" }], jobs: [expect.anything()] })
      })
    )

    it.effect("does not answer automatic messages or opted-out contacts", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(qualification)
        yield* write(tenant, "1", "demo", true)
        expect(yield* claim(tenant)).toEqual([])
        yield* write(tenant, "2", "demo")
        yield* work(tenant)
        yield* write(tenant, "3", "1", true)
        yield* write(tenant, "4", "STOP")
        expect(yield* claim(tenant)).toEqual([])
        yield* write(tenant, "5", "prices")
        yield* work(tenant)
        const { said, sessions } = yield* seen(tenant)
        expect(said).toEqual(["Hello Ada!", question])
        const reason = "The customer has opted out of messages."
        expect(sessions).toMatchObject([{ outcome: "failed", reason, answers: { need: "prices" } }])
      })
    )

    it.effect("fails if its connection is paused or its script loops", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(aScript([say("a", "A", "a")]))
        yield* write(tenant, "1", "demo")
        yield* work(tenant)
        const loops = { outcome: "failed", reason: expect.stringContaining("without a question") }
        expect(yield* seen(tenant)).toMatchObject({ said: [], sessions: [loops] })
        expect(yield* notifications(tenant)).toMatchObject([{ kind: "bot.failed" }])
        const other = yield* newBotTenant(qualification)
        yield* (yield* Storage).commit(
          changes(other.workspace.id, {
            expects: [expects("connections", { id: other.connection.id })],
            sets: [set("connections", { id: other.connection.id }, { status: "paused" })]
          })
        )
        yield* write(other, "1", "demo")
        yield* work(other)
        const { events, said, sessions } = yield* seen(other)
        const paused = { outcome: "failed", reason: "The connection is paused; an administrator can activate it." }
        expect(sessions).toMatchObject([paused])
        expect([said, yield* notifications(other)]).toEqual([[], []])
        expect(events.map(({ type }) => type).filter((type) => type.startsWith("bot."))).toEqual([
          "bot.started",
          "bot.completed"
        ])
      })
    )

    it.effect("waits while its workspace is suspended", () =>
      Effect.gen(function* () {
        const tenant = yield* newBotTenant(aScript([ask("q", "Yes?"), finish("end", "Bye")]))
        const moves = (status: "suspended" | "active") =>
          Effect.flatMap(Storage, ({ commit }) =>
            commit(
              changes(tenant.workspace.id, {
                expects: [expects("workspaces", { id: tenant.workspace.id })],
                sets: [set("workspaces", { id: tenant.workspace.id }, { status })]
              })
            )
          )
        yield* moves("suspended")
        const { id } = yield* write(tenant, "1", "demo")
        yield* work(tenant)
        expect(yield* seen(tenant)).toMatchObject({ said: [], jobs: [{ id: botMessageJobId(id) }] })
        yield* moves("active")
        yield* TestClock.adjust(minute)
        yield* work(tenant)
        expect((yield* seen(tenant)).said).toEqual(["Yes?"])
      })
    )
  })
}
