import { FastCheck as fc, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { AdminBotResource, adminBotResource } from "../../../src/flows/bots/AdminBotResource.js"
import { decodeBotInput, decodeBotPatch } from "../../../src/flows/bots/BotInput.js"
import { scriptOf } from "../../../src/flows/bots/ScriptInput.js"
import { hour, minute } from "../../../src/model/Instant.js"
import { qualification } from "./scripts.js"

const workspace_id = "01900000-0000-7000-8000-000000000001"
const head = { workspace_id, name: "Qualify" }
const problemsOf = (body: object) => decodeBotInput({ ...head, ...body }).problems
const stepProblems = (...steps: ReadonlyArray<unknown>) => problemsOf({ steps })

const choice = (value: string, more: object = {}) => ({ value, text: value.toUpperCase(), ...more })
const asks = (expect: unknown, more: object = {}) => ({ key: "q", type: "ask", text: "?", expect, ...more })

describe("script input", () => {
  it("decodes with defaults for omitted fields", () => {
    const steps = [
      { key: "name", type: "ask", text: "Your name?" },
      asks({ type: "number", min: 1 }, { tries: 2, invalid: "No." }),
      { key: "end", type: "finish" },
      { key: "person", type: "hand_off", text: "" }
    ]
    const { problems, value } = decodeBotInput({ ...head, steps })
    expect(problems).toEqual({})
    expect(scriptOf(value as never)).toEqual({
      start: { keywords: [], newConversationOn: [] },
      greeting: null,
      steps: [
        {
          key: "name",
          type: "ask",
          text: "Your name?",
          expected: { type: "text", maxLength: 1_000 },
          invalid: null,
          tries: 3,
          goTo: null
        },
        {
          key: "q",
          type: "ask",
          text: "?",
          expected: { type: "number", min: 1, max: null },
          invalid: "No.",
          tries: 2,
          goTo: null
        },
        { key: "end", type: "finish", text: null },
        { key: "person", type: "hand_off", text: null, agentId: null, teamId: null }
      ],
      timeOutMs: 30 * minute,
      timeOutText: null
    })
    expect(value.status).toBe("inactive")
    expect(decodeBotPatch({ time_out: "2h", greeting: "" }).value).toEqual({ timeOutMs: 2 * hour, greeting: null })
  })
  it("decodes its own resource without change", () => {
    const bot = { id: workspace_id, workspaceId: workspace_id, ...head, createdAt: 0, version: 1 }
    const shown = Schema.encodeSync(AdminBotResource)(
      adminBotResource({ ...bot, status: "active", script: qualification })
    )
    expect(shown).toMatchObject({ time_out: "30m", start: { keywords: ["demo"], new_conversation_on: [] } })
    const { problems, value } = decodeBotInput({ ...shown })
    expect([problems, scriptOf(value as never)]).toEqual([{}, qualification])
  })
  it("reads files and content of a step, and shows steps without them", () => {
    const place = { type: "location", latitude: 1, longitude: 2 }
    const file = { url: "https://a.example/{{answers.x}}.png" }
    const { problems, value } = decodeBotInput({
      ...head,
      steps: [
        { key: "place", type: "say", content: place },
        { key: "file", type: "say", text: "See", attachments: [file] },
        { key: "text", type: "say", text: "Hi" }
      ]
    })
    expect(problems).toEqual({})
    expect(value.steps).toEqual([
      {
        key: "place",
        type: "say",
        text: null,
        content: { ...place, name: null, address: null, url: null },
        goTo: null
      },
      {
        ...{ key: "file", type: "say", text: "See", goTo: null },
        files: [{ ...file, contentType: "application/octet-stream", fileName: null }]
      },
      { key: "text", type: "say", text: "Hi", goTo: null }
    ])
    const bot = { id: workspace_id, workspaceId: workspace_id, ...head, createdAt: 0, version: 1 }
    const script = scriptOf(value as never)
    const shown = Schema.encodeSync(AdminBotResource)(adminBotResource({ ...bot, status: "active", script }))
    expect(scriptOf(decodeBotInput({ ...shown }).value as never)).toEqual(script)
  })
  it.each<[object, object]>([
    [
      { content: { type: "reaction", emoji: "👍" } },
      { "content.type": ["must be one of location, contacts, choices"] }
    ],
    [
      { content: { type: "choices", options: [{ id: "a", title: "A" }] } },
      { text: ["is required with choices: it is the question"] }
    ],
    [
      { text: "here", content: { type: "location", latitude: 1, longitude: 2 } },
      { text: ["must not be given with content other than choices"] }
    ],
    [{ attachments: [] }, { attachments: ["must have 1 to 30 items"] }]
  ])("has rules for the message of a step: %j", (message, problems) => {
    expect(stepProblems({ key: "a", type: "say", ...message })).toEqual(
      Object.fromEntries(Object.entries(problems).map(([field, all]) => [`steps.0.${field}`, all]))
    )
  })
  it("reports all problems by path", () => {
    expect(
      problemsOf({
        start: { keywords: ["", "x"], new_conversation_on: ["x"], keyword: "y" },
        greeting: "a\u0000",
        time_out: "a while",
        steps: [
          { key: "1", type: "say" },
          { key: "q", type: "ask", text: "?", expect: { type: "choise" }, trys: 2, tries: 11 },
          asks({ type: "choice", choices: [] }),
          { type: "stop" },
          "say"
        ]
      })
    ).toEqual({
      "start.keyword": ["is not a field of start"],
      "start.keywords.0": ["is required"],
      "start.new_conversation_on.0": ["must be a UUID"],
      greeting: ["must be valid Unicode text without U+0000"],
      time_out: ["must be a duration such as 90s, 10m, 2h or 3d, of at most 30d"],
      "steps.0.key": ["must be 1 to 64 letters, digits, _ or -, beginning with a letter"],
      "steps.0.text": ["is required"],
      "steps.1.expect.type": ["must be one of text, number, email, phone, date, yes_no, choice"],
      "steps.1.trys": ["is not a field of ask"],
      "steps.1.tries": ["must be a whole number from 1 to 10"],
      "steps.2.expect.choices": ["must have 1 to 20 items"],
      "steps.2.key": ["is the key of an earlier step"],
      "steps.3.type": ["must be one of say, ask, hand_off, finish"],
      "steps.4": ["must be an object"]
    })
  })
  it("refuses go_to without a matching step", () => {
    const choices = [choice("a", { go_to: "q" }), choice("b", { go_to: "nowhere" }), choice("c", { go_to: "" })]
    expect(stepProblems(asks({ type: "choice", choices }, { go_to: "elsewhere" }))).toEqual({
      "steps.0.go_to": ["must be the key of a step"],
      "steps.0.expect.choices.1.go_to": ["must be the key of a step"]
    })
  })
  it("refuses duplicate choices", () => {
    const choices = [choice("a"), choice("a", { text: "Other" }), choice("b", { text: "á!" }), choice("c")]
    expect(stepProblems(asks({ type: "choice", choices }))).toEqual({
      "steps.0.expect.choices.1.value": ["is that of an earlier choice"],
      "steps.0.expect.choices.2.text": ["is that of an earlier choice"]
    })
  })
  it("refuses number bounds with max below min", () => {
    expect(stepProblems(asks({ type: "number", min: 2, max: 1 }))).toEqual({
      "steps.0.expect.max": ["must be at least min"]
    })
  })
  it("decodes or reports problems for any JSON", () => {
    const thing = fc.oneof(
      fc.jsonValue(),
      fc.record({
        key: fc.jsonValue(),
        type: fc.constantFrom("say", "ask"),
        text: fc.jsonValue(),
        expect: fc.jsonValue()
      })
    )
    fc.assert(
      fc.property(fc.oneof(thing, fc.array(thing)), thing, (steps, start) => {
        for (const message of Object.values(problemsOf({ steps, start })).flat()) expect(message).toMatch(/^(must|is) /)
      })
    )
  })
})
