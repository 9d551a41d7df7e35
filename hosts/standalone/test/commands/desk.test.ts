import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveDemo, temporaryFolder } from "../processes.js"
import { runParley } from "./runParley.js"

/** Runs a command at a terminal with this many columns. */
const atTerminal = <A>(columns: number, command: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const { columns: before, isTTY } = process.stdout
      Object.assign(process.stdout, { columns, isTTY: true })
      return { columns: before, isTTY }
    }),
    () => command,
    (before) => Effect.sync(() => void Object.assign(process.stdout, before))
  )

describe("the commands of the desk", () => {
  it.scopedLive(
    "find, assign and answer conversations, and edit tasks and leads",
    () =>
      Effect.gen(function* () {
        const { demo } = yield* serveDemo(yield* temporaryFolder)
        const target = ["--server", demo.base_url, "--token", demo.admin_token]
        const workspace = ["--workspace", demo.workspace_id]
        const run = (...message: ReadonlyArray<string>) => runParley([...message, ...target, "--json"])
        const one = (...message: ReadonlyArray<string>) =>
          Effect.map(run(...message), ({ code, errors, output }) => {
            expect([message, code, errors]).toEqual([message, 0, ""])
            return JSON.parse(output)
          })
        const list = (...message: ReadonlyArray<string>) =>
          Effect.map(run(...message), ({ code, errors, output }) => {
            expect([message, code, errors]).toEqual([message, 0, ""])
            return output
              .split("\n")
              .filter((line) => line !== "")
              .map((line) => JSON.parse(line))
          })
        const misused = (...message: ReadonlyArray<string>) => Effect.map(run(...message), ({ code }) => code)

        const whatsapp = demo.connections.whatsapp ?? ""
        const inbound = yield* one("connection", "simulate-inbound", whatsapp, "+15550123456", "Hi", "--name", "Ada")
        const agent = yield* one("agent", "create", "Grace", ...workspace)
        const image = join(yield* temporaryFolder, "grace.gif")
        yield* Effect.promise(() => writeFile(image, Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64")))
        const { avatar_url } = yield* one("agent", "update", agent.id, "--avatar", image)
        expect(avatar_url).toContain(`/media/${agent.id}?`)
        expect(yield* one("agent", "update", agent.id, "--avatar", "")).toMatchObject({ avatar_url: null })
        expect(yield* misused("agent", "update", agent.id)).toBe(2)
        const id: string = inbound.conversation_id
        for (const filter of [["--status", "open"], ["--unassigned"]]) {
          expect(yield* list("conversation", "list", ...filter, ...workspace)).toMatchObject([{ id }])
        }
        expect(yield* one("conversation", "assign", id, "--agent", agent.id)).toMatchObject({
          assigned_user_id: agent.id
        })
        expect(yield* list("conversation", "list", "--assigned-user", agent.id)).toMatchObject([{ id }])
        expect(yield* list("conversation", "list", "--unassigned", ...workspace)).toEqual([])
        expect(yield* one("conversation", "assign", id, "--unassign")).toMatchObject({ assigned_user_id: null })
        expect(yield* misused("conversation", "assign", id)).toBe(2)
        expect(yield* misused("conversation", "assign", id, "--nobody", "--agent", agent.id)).toBe(2)
        expect(yield* one("conversation", "status", id, "resolved")).toMatchObject({ status: "resolved" })
        expect(yield* misused("conversation", "status", id, "asleep")).toBe(2)
        expect(yield* run("conversation", "status", id, "resolved")).toMatchObject({
          code: 1,
          errors: expect.stringContaining("The conversation is resolved already.")
        })
        const sent = yield* one("conversation", "reply", id, "It leaves today", "--agent", agent.id)
        expect(sent).toMatchObject({ status: "queued", agent_id: agent.id, body: "It leaves today" })
        expect(yield* one("message", "show", sent.id)).toMatchObject({ id: sent.id })
        const said = yield* list("message", "list", "--conversation", id)
        expect(said.map(({ body }) => body)).toEqual(["It leaves today", "Hi"])

        const narrow = yield* atTerminal(72, runParley(["message", "list", "--contact", inbound.contact_id, ...target]))
        const [head = "", first = "", second = ""] = narrow.output.split("\n")
        expect(head).toMatch(/^ID {12}AUTHOR {4}STATUS/)
        expect(first).toMatch(new RegExp(`^${sent.id.slice(-12)}  agent .* It leaves today$`))
        expect(second).toMatch(/^[0-9a-f]{12} {2}customer .* Hi$/)
        expect(yield* one("message", "show", first.slice(0, 12))).toMatchObject({ id: sent.id })
        expect(yield* list("message", "list", "--conversation", id.slice(-12))).toHaveLength(2)

        // The sandbox rejects every message to this number.
        const eve = yield* one("connection", "simulate-inbound", whatsapp, "+15550120001", "Hi")
        const refused = yield* one("conversation", "reply", eve.conversation_id, "It leaves today")
        const failed = yield* Effect.repeat(Effect.delay(list("message", "list", "--failed"), "50 millis"), {
          until: (found) => found.length > 0
        })
        expect(failed).toMatchObject([{ id: refused.id, status: "failed" }])
        expect((yield* runParley(["message", "list", "--failed", ...target])).output).toContain(
          "failed: provider_error"
        )
        expect(yield* list("message", "list", "--conversation", id, "--failed")).toEqual([])

        const letter = join(yield* temporaryFolder, "letter.txt")
        yield* Effect.promise(() => writeFile(letter, "Dear Ada"))
        const files = ["--file", letter, "--file", image]
        const whole = yield* one("conversation", "reply", id.slice(-12), "See", ...files, "--agent", agent.id)
        expect(whole).toMatchObject({ type: "media", body: "See", agent_id: agent.id })
        expect(whole.attachments).toMatchObject([
          { type: "document", content_type: "text/plain", file_name: "letter.txt", size: 8 },
          ...(whole.attachments.length === 1 ? [] : [{ content_type: "image/gif" }])
        ])
        const upload = yield* one("attachment", "upload", letter, ...workspace)
        expect(yield* one("attachment", "show", upload.id)).toEqual(upload)
        const again = yield* one("conversation", "reply", id, "--attachment", upload.id)
        expect(again.attachments).toMatchObject([{ content_type: "text/plain", file_name: "letter.txt" }])
        expect(yield* run("conversation", "reply", id, "--file", `${letter}.none`)).toMatchObject({
          ...{ code: 1, errors: expect.stringContaining("letter.txt.none cannot be read") }
        })

        const task = yield* one(
          "task",
          "create",
          "Call back",
          "--conversation",
          id,
          "--due",
          "2026-05-04",
          ...workspace
        )
        expect(task).toMatchObject({ contact_id: inbound.contact_id, due_at: "2026-05-04T00:00:00.000Z" })
        expect(yield* one("task", "update", task.id, "--agent", agent.id, "--due", "")).toMatchObject({
          assigned_user_id: agent.id,
          due_at: null
        })
        expect(yield* one("task", "done", task.id)).toMatchObject({ status: "done" })
        expect(yield* list("task", "list", "--status", "open", ...workspace)).toEqual([])

        const response = yield* Effect.promise(() =>
          fetch(`${demo.base_url}/api/v1/leads`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${demo.api_key}`,
              "content-type": "application/json",
              "idempotency-key": "lead"
            },
            body: JSON.stringify({ contact_id: inbound.contact_id })
          }).then((answer) => answer.json())
        )
        const { data: lead } = response as { readonly data: { readonly id: string; readonly pipeline_id: string } }
        const { stages } = yield* one("pipeline", "show", lead.pipeline_id)
        const stage: string = stages.at(-1).key
        expect(yield* one("lead", "move", lead.id, stage)).toMatchObject({ stage })
        expect(yield* list("lead", "list", "--pipeline", lead.pipeline_id, "--stage", stage)).toMatchObject([
          { id: lead.id }
        ])
        expect(yield* one("lead", "show", lead.id)).toMatchObject({ contact_id: inbound.contact_id, stage })
      }),
    { timeout: 120_000 }
  )
})
