import { Command, Options } from "@effect/cli"
import { argument, choice, option, optionalChoice, workspaceFilter } from "./apiCommand.js"
import { create, list, show, update } from "./resource.js"

const kind = { command: "template", noun: "template", path: "/templates" }
const statuses = ["draft", "pending", "approved", "rejected", "paused"] as const
const category = option(
  "category",
  "The category, such as utility; marketing templates are not sent to contacts who opted out of marketing"
)

const subject = option("subject", "Of an email: the subject, with the same placeholders")
const html = option("html", "Of an email: the text as HTML, with the same placeholders")

export const template = Command.make("template").pipe(
  Command.withDescription("Message templates"),
  Command.withSubcommands([
    create(kind, "add", 'Add a template. Example: parley template add welcome "Hello {{1}}" --status approved', {
      name: argument("name", "The name that sends use"),
      body: argument("body", "The text, with placeholders {{1}}, {{2}}, …"),
      channel: Options.text("channel").pipe(
        Options.withDescription("The template's channel (default whatsapp)"),
        Options.withDefault("whatsapp")
      ),
      language: Options.text("language").pipe(
        Options.withDescription("The language (default en)"),
        Options.withDefault("en")
      ),
      category,
      subject,
      html,
      status: choice("status", statuses, "draft", "Only approved templates can be sent")
    }),
    list(kind.path, "List templates, newest first. Example: parley template list", { workspace_id: workspaceFilter }, [
      "id",
      "name",
      "channel",
      "language",
      "status",
      "body"
    ]),
    show(kind),
    update(
      kind,
      "Change a template's text, subject, HTML, category or status. Example: parley template update <id> --status approved",
      {
        body: option("body", "The text, with placeholders {{1}}, {{2}}, …"),
        category,
        subject,
        html,
        status: optionalChoice("status", statuses, "Only approved templates can be sent")
      }
    )
  ])
)
