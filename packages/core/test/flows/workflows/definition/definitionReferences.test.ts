import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import {
  aBot,
  aConnection,
  aCustomField,
  anAgent,
  aPipeline,
  aTeam,
  aTemplate,
  channelsNamed,
  interfaceChannels
} from "@parley/testkit/rows"
import { Effect } from "effect"
import { describe, it } from "vitest"
import {
  channelProblems,
  type DefinitionReferences,
  referenceProblems
} from "../../../../src/flows/workflows/definition/definitionReferences.js"
import { loadDefinitionReferences } from "../../../../src/flows/workflows/definition/loadDefinitionReferences.js"
import type { ActionKind, RequiredProgress } from "../../../../src/model/Action.js"
import type { RunCondition } from "../../../../src/model/RunCondition.js"
import type { Definition } from "../../../../src/model/Workflow.js"
import { changes, row } from "../../../../src/ports/Changes.js"
import { Ids } from "../../../../src/ports/Ids.js"
import { Storage } from "../../../../src/ports/Storage.js"
import { engine, newTenant } from "../../../harness.js"
import { anAction } from "../runDesk.js"

const id = (last: string) => `01900000-0000-7000-8000-0000000000${last}`
const [agent, away, team, bot, sales, support, whatsapp, email, telegram, unknown] = [
  "a1",
  "a2",
  "b1",
  "c1",
  "d1",
  "d2",
  "e1",
  "e2",
  "e3",
  "ff"
].map(id) as [string, string, string, string, string, string, string, string, string, string]

const channels = channelsNamed(...interfaceChannels)
const world: DefinitionReferences = {
  defaultLanguage: "en",
  channels,
  connections: [
    aConnection({ id: whatsapp, channel: "whatsapp" }),
    aConnection({ id: email, channel: "email" }),
    aConnection({ id: telegram, channel: "telegram" }),
    aConnection({ id: id("e4"), channel: "instagram" })
  ],
  capabilities: ({ channel }) => ({
    ...{ textMaxLength: null, templates: false, serviceWindowHours: null },
    deliveryReceipts: channel === "email",
    readReceipts: channel === "whatsapp" || channel === "instagram"
  }),
  templates: [
    aTemplate({ id: id("f1"), name: "shipped", language: "en", body: "Order {{1}} is on its way." }),
    aTemplate({ id: id("f2"), name: "shipped", language: "de", body: "{{1}} ist unterwegs.", status: "paused" }),
    aTemplate({ id: id("f7"), name: "parcel", account: "1", body: "Parcel {{1}} of {{2}}" }),
    aTemplate({ id: id("f8"), name: "parcel", account: "2", body: "Parcel {{1}}" }),
    aTemplate({ id: id("f3"), name: "hello", language: "fr", body: "Salut" }),
    aTemplate({ id: id("f4"), name: "hello", language: "it", body: "Ciao" }),
    aTemplate({ id: id("f5"), name: "hello", language: "en", body: "Hello", channel: "telegram" }),
    aTemplate({
      id: id("f6"),
      name: "bread",
      body: "Bread",
      parts: { header: null, footer: null, buttons: [{ type: "products", text: "View", url: null }], named: false }
    })
  ],
  agents: [anAgent({ id: agent }), anAgent({ id: away, status: "inactive" })],
  teams: [aTeam({ id: team })],
  pipelines: [
    aPipeline({ id: sales }),
    aPipeline({ id: support, createdAt: 1_790_000_000_000, stages: [{ key: "open", name: "Open" }] })
  ],
  bots: [aBot({ id: bot })],
  customFields: [aCustomField({ key: "plan" }), aCustomField({ key: "seats", type: "number" })]
}

const problemsOf = (action: ActionKind) => referenceProblems({ conditions: null, actions: [anAction(action)] }, world)
const template = (given: object = {}): ActionKind => ({
  type: "send_message",
  channel: "whatsapp",
  connectionId: null,
  content: { type: "template", template: "shipped", language: null, variables: ["A-7"], ...given },
  wanted: null
})
const text = (channel: string, connectionId: string | null, status?: RequiredProgress["status"]): ActionKind => ({
  type: "send_message",
  channel,
  connectionId,
  content: { type: "text", body: "Hi", subject: null },
  wanted: status === undefined ? null : { status, withinMs: 1_000 }
})

const wanted = { status: "read", withinMs: 1_000 } as const
const noReceipts = (capability: string) =>
  `must be a status that the channel reports: no connection of this action has ${capability}`

describe("the channels that a definition names", () => {
  const subject = {
    ...text("whatsapp", whatsapp),
    content: { type: "text", body: "Hi", subject: "Hello" }
  } as ActionKind
  const problemsIn = (definition: Partial<Definition>) =>
    channelProblems(definition, channelsNamed("whatsapp", "email"))

  it("are channels of the host", () => {
    const conditions = { any: [{ channel: { has: "email" } }, { channel: { hasAnyOf: ["email", "fax"] } }] }
    expect(
      problemsIn({ conditions, actions: [anAction({ ...text("email", email), channel: "fax" } as ActionKind)] })
    ).toEqual({
      "conditions.any.1.channel.has_any_of.1": ["must be one of whatsapp, email"],
      "actions.0.channel": ["must be one of whatsapp, email"]
    })
    expect(problemsIn({ actions: [anAction({ ...subject, channel: "preferred" } as ActionKind)] })).toEqual({})
  })
  it("have subjects, if the action has one", () => {
    expect(problemsIn({ actions: [anAction(subject)] })).toEqual({
      "actions.0.subject": ["is not possible on this channel"]
    })
    expect(problemsIn({ actions: [anAction({ ...subject, channel: "email" } as ActionKind)] })).toEqual({})
  })
})

describe("references of a definition", () => {
  it.each<ActionKind>([
    template(),
    template({ language: "de" }),
    template({
      template: "bread",
      variables: [],
      products: { thumbnail: null, sections: [{ title: null, items: ["rye"] }] }
    }),
    { ...template({ template: "hello", variables: [] }), channel: "preferred" } as ActionKind,
    text("whatsapp", whatsapp),
    text("email", email, "delivered"),
    text("telegram", telegram, "sent"),
    // A read message counts as delivered.
    text("instagram", null, "delivered"),
    text("preferred", null, "read"),
    text("webchat", null, "read"),
    template({ template: "parcel" }),
    { type: "send_email", connectionId: email, subject: "a", body: "b", html: null, wanted: null },
    { type: "create_lead", pipelineId: null, stage: "won", title: null, value: null, currency: null },
    { type: "create_lead", pipelineId: support, stage: null, title: null, value: null, currency: null },
    { type: "update_lead", pipelineId: null, stage: "open" },
    { type: "assign", agentId: agent, teamId: team },
    { type: "create_task", title: "Call", dueInMs: null, agentId: null, teamId: null },
    { type: "start_bot", botId: bot },
    { type: "wait", forMs: 1_000 },
    { type: "update_contact", contact: { first_name: null, tags: ["VIP"], custom_fields: { plan: "gold", seats: 3 } } },
    { type: "update_contact", contact: { email: "{{data.email}}", custom_fields: { seats: "{{data.seats}}" } } }
  ])("pass if they exist: %j", (action) => {
    expect(problemsOf(action)).toEqual({})
  })
  it.each<[ActionKind, object]>([
    [
      template({ template: "gone" }),
      { template: "must be the name of a template of this workspace on the channel whatsapp" }
    ],
    [template({ template: "parcel", variables: [] }), { variables: "must have exactly 2 items, one for each slot" }],
    [template({ language: "fr" }), { language: "must be one of this template's languages: de, en" }],
    [template({ variables: [] }), { variables: "must have exactly 1 items, one for each slot" }],
    [
      template({ template: "bread", variables: [] }),
      { "products.sections": "is required: a button of this template shows products" }
    ],
    [{ ...template(), channel: "email" } as ActionKind, { template: expect.stringContaining("on the channel email") }],
    [
      { ...template({ template: "gone" }), channel: "preferred" } as ActionKind,
      { template: "must be the name of a template of this workspace" }
    ],
    [text("whatsapp", unknown), { connection_id: "must be the id of a connection of this workspace" }],
    [text("telegram", telegram, "delivered"), { wait_until: noReceipts("delivery_receipts") }],
    [text("email", null, "read"), { wait_until: noReceipts("read_receipts") }],
    [
      { type: "send_email", connectionId: email, subject: "a", body: "b", html: null, wanted },
      { wait_until: noReceipts("read_receipts") }
    ],
    [text("email", whatsapp), { connection_id: "must be a connection of the channel email" }],
    [
      { type: "send_email", connectionId: whatsapp, subject: "a", body: "b", html: null, wanted: null },
      { connection_id: "must be a connection of the channel email" }
    ],
    [
      { type: "create_lead", pipelineId: unknown, stage: "new", title: null, value: null, currency: null },
      { pipeline_id: "must be the id of a pipeline of this workspace" }
    ],
    [
      { type: "create_lead", pipelineId: null, stage: "open", title: null, value: null, currency: null },
      { stage: "must be the key of a stage of the pipeline" }
    ],
    [
      { type: "update_lead", pipelineId: unknown, stage: "new" },
      { pipeline_id: "must be the id of a pipeline of this workspace" }
    ],
    [{ type: "update_lead", pipelineId: support, stage: "new" }, { stage: expect.stringContaining("a stage") }],
    [{ type: "update_lead", pipelineId: null, stage: "lost" }, { stage: expect.stringContaining("a stage") }],
    [
      { type: "assign", agentId: away, teamId: unknown },
      {
        agent_id: "must be the id of an active agent of this workspace",
        team_id: "must be the id of a team of this workspace"
      }
    ],
    [
      { type: "create_task", title: "Call", dueInMs: null, agentId: unknown, teamId: null },
      { agent_id: "must be the id of an active agent of this workspace" }
    ],
    [{ type: "start_bot", botId: unknown }, { bot_id: "must be the id of a bot of this workspace" }],
    [
      {
        type: "update_contact",
        contact: {
          first_name: 1,
          nickname: "A",
          phone: "12",
          workspace_id: "x",
          lifecycle_stage: "vip",
          custom_fields: { seats: "3", size: "{{data.size}}" }
        }
      },
      {
        contact: expect.stringMatching(/^must have no fields but first_name, .*custom_fields$/),
        "contact.first_name": "must be a string",
        "contact.phone": "must be a phone number in E.164: + and 7 to 15 digits",
        "contact.lifecycle_stage": "must be one of lead, prospect, customer, churned",
        "contact.custom_fields.seats": "must be a number",
        "contact.custom_fields.size": "is not a custom field of this workspace"
      }
    ],
    [{ type: "update_contact", contact: { custom_fields: 5 } }, { "contact.custom_fields": "must be an object" }]
  ])("are reported if they do not exist: %j", (action, problems) => {
    expect(problemsOf(action)).toEqual(
      Object.fromEntries(Object.entries(problems).map(([field, message]) => [`actions.0.${field}`, [message]]))
    )
  })
  it("are reported for all conditions at once", () => {
    const missing: RunCondition = {
      all: [
        { assignedAgent: { isOneOf: [agent, unknown, away] } },
        { not: { pipelineStage: { is: "lost" } } },
        { any: [{ pipelineStage: { isNoneOf: ["new", "open"], pipelineId: sales } }] },
        { pipelineStage: { isNot: "new", pipelineId: unknown } },
        { pipelineStage: { is: "open" } },
        { assignedAgent: { isSet: true } },
        { tag: { has: "vip" } }
      ]
    }
    const action = anAction({ type: "start_bot", botId: unknown }, { if: { assignedAgent: { isNot: unknown } } })
    expect(Object.keys(referenceProblems({ conditions: missing, actions: [action] }, world)).sort()).toEqual([
      "actions.0.bot_id",
      "actions.0.if.assigned_agent.is_not",
      "conditions.all.0.assigned_agent.is_one_of.1",
      "conditions.all.1.not.pipeline_stage.is",
      "conditions.all.2.any.0.pipeline_stage.is_none_of.1",
      "conditions.all.3.pipeline_stage.pipeline_id"
    ])
  })
  it("are checked in the readable part of a definition", () => {
    expect(referenceProblems({}, world)).toEqual({})
    expect(
      Object.keys(referenceProblems({ actions: [anAction({ type: "start_bot", botId: unknown })] }, world))
    ).toEqual(["actions.0.bot_id"])
  })
})

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true, timeout: 60_000 })(
    `references of a definition on ${name}`,
    (it) => {
      it.effect("are loaded from their own workspace only", () =>
        Effect.gen(function* () {
          const ids = yield* Ids
          const { commit } = yield* Storage
          const next = () => ids.next(1_700_000_000_000)
          const furnish = (workspaceId: string) =>
            Effect.gen(function* () {
              const made = { agent: next(), team: next(), bot: next(), pipeline: next(), connection: next() }
              const outcome = yield* commit(
                changes(workspaceId, {
                  claims: [row("templates", aTemplate({ id: next(), workspaceId, name: "note", body: "Hello" }))],
                  inserts: [
                    row("agents", anAgent({ id: made.agent, workspaceId })),
                    row("teams", aTeam({ id: made.team, workspaceId })),
                    row("bots", aBot({ id: made.bot, workspaceId })),
                    row("pipelines", aPipeline({ id: made.pipeline, workspaceId })),
                    row("connections", aConnection({ id: made.connection, workspaceId }))
                  ],
                  ensures: [row("customFields", aCustomField({ workspaceId, key: "plan" }))]
                })
              )
              expect(outcome._tag).toBe("Committed")
              return made
            })
          const [own, others] = [yield* newTenant, yield* newTenant]
          const made = yield* furnish(own.workspace.id)
          yield* furnish(others.workspace.id)
          const definition: Definition = {
            conditions: {
              all: [{ assignedAgent: { is: made.agent } }, { pipelineStage: { is: "won", pipelineId: made.pipeline } }]
            },
            actions: [
              { ...template({ template: "note", variables: [] }), connectionId: made.connection } as ActionKind,
              { ...template({ template: "note", variables: [] }), channel: "preferred" } as ActionKind,
              { type: "assign", agentId: made.agent, teamId: made.team } as const,
              { type: "update_lead", pipelineId: made.pipeline, stage: "won" } as const,
              { type: "start_bot", botId: made.bot } as const,
              { type: "update_contact", contact: { custom_fields: { plan: "gold" } } } as const
            ].map((kind) => anAction(kind as ActionKind))
          }
          const storage = yield* Storage
          const problemsIn = (workspaceId: string) =>
            Effect.map(
              loadDefinitionReferences(storage, { byKind: new Map(), channels }, workspaceId, definition),
              (world) => Object.keys(referenceProblems(definition, world)).sort()
            )
          expect(yield* problemsIn(own.workspace.id)).toEqual([])
          expect(yield* problemsIn(others.workspace.id)).toEqual([
            "actions.0.connection_id",
            "actions.2.agent_id",
            "actions.2.team_id",
            "actions.3.pipeline_id",
            "actions.4.bot_id",
            "conditions.all.0.assigned_agent.is",
            "conditions.all.1.pipeline_stage.pipeline_id"
          ])
        })
      )
    }
  )
}
