import { Args, type CliApp, Command, HelpDoc, Options, ValidationError } from "@effect/cli"
import { Effect, Option } from "effect"
import { type AdminClient, adminClient } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { described } from "./described.js"
import { exitCodes } from "./exitCodes.js"
import { jsonOption } from "./output.js"
import { type Target, targetOf, targetOptions } from "./Target.js"
import { withShortIds } from "./withShortIds.js"

/** The services of a command that calls the admin API. */
export interface CommandContext {
  readonly client: AdminClient
  readonly target: Target
  readonly json: boolean
}

/**
 * A command that calls the admin API, with its own options and those of {@link targetOptions}. The description contains
 * its examples, see {@link described}.
 */
export const apiCommand = <Name extends string, const Config extends Command.Command.Config>(
  name: Name,
  description: string,
  config: Config,
  run: (
    input: Command.Command.ParseConfig<Config>,
    tools: CommandContext
  ) => Effect.Effect<void, CommandFailed, CliApp.CliApp.Environment>
) =>
  Command.make(name, { ...config, ...targetOptions, json: jsonOption }, (given) => {
    const input = given as Command.Command.ParseConfig<Config> & {
      readonly server: Option.Option<string>
      readonly token: Option.Option<string>
      readonly json: boolean
    }
    return Effect.flatMap(targetOf(input), (target) =>
      run(input, { client: withShortIds(adminClient(target), target), target, json: input.json })
    )
  }).pipe(described(description))

/** A required argument. */
export const argument = (name: string, description: string) =>
  Args.text({ name }).pipe(Args.withDescription(description))

/** An optional option; null if absent. */
export const option = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional, Options.map(Option.getOrNull))

export const applicationOption = option("app", "The application's id (default: the demo's)")
export const workspaceOption = option("workspace", "The workspace's id (default: the demo's)")

/** A filter by workspace. */
export const workspaceFilter = option("workspace", "Only those of this workspace")

/** An optional option of items separated by commas; null if absent. */
export const itemsOption = (name: string, description: string) =>
  option(name, description).pipe(Options.map((text) => (text === null ? null : itemsOf(text))))

/** An optional option that is an integer of at least 1; null if absent. */
export const numberOption = (name: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("number"),
    Options.withDescription(description),
    Options.mapEffect((text) =>
      /^[1-9]\d{0,8}$/.test(text)
        ? Effect.succeed(Number(text))
        : Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--${name} must be a whole number from 1 up`)))
    ),
    Options.optional,
    Options.map(Option.getOrNull)
  )

/** The number of rows of a list: `--limit`, or `--all` for no limit. */
export const limitOption = Options.all({
  limit: numberOption("limit", "The number of rows (default 25)"),
  all: Options.boolean("all").pipe(Options.withDescription("List all rows"))
}).pipe(Options.map(({ all, limit }) => (all ? Number.POSITIVE_INFINITY : (limit ?? 25))))

/** An option with these choices and a default. */
export const choice = <const Word extends string>(
  name: string,
  message: ReadonlyArray<Word>,
  byDefault: NoInfer<Word>,
  description: string
) =>
  Options.choice(name, message).pipe(
    Options.withDescription(`${description} (default ${byDefault})`),
    Options.withDefault(byDefault)
  )

/** An optional option with these choices; null if absent. */
export const optionalChoice = <const Word extends string>(
  name: string,
  message: ReadonlyArray<Word>,
  description: string
) =>
  Options.choice(name, message).pipe(
    Options.withDescription(description),
    Options.optional,
    Options.map(Option.getOrNull)
  )

/** The given value, otherwise the demo's. */
export const needed = (
  what: "app" | "workspace",
  given: string | null,
  { applicationId, workspaceId }: Target
): Effect.Effect<string, CommandFailed> => {
  const id = given ?? (what === "app" ? applicationId : workspaceId)
  return id === null
    ? new CommandFailed({
        message: `Give --${what} <id>; parley ${what} list shows the ids`,
        code: exitCodes.misused
      })
    : Effect.succeed(id)
}

/** The items of a text, separated by commas. */
export const itemsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
