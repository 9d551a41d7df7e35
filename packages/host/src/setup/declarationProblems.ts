import { areOptions, type GivenOptions } from "../OptionReader.js"
import type { Declaration, SetupOptions } from "./Declaration.js"
import type { SetupProblem } from "./SetupError.js"

/** The fields of each section. The admin API validates their values. */
const fieldsOf = {
  connections: ["id", "name", "channel", "provider", "handle", "is_test", "settings", "credentials"],
  templates: ["id", "name", "channel", "language", "category", "body", "subject", "html", "status"],
  applications: ["id", "name", "mode", "scopes", "connections", "limits", "keys"],
  endpoints: ["id", "application", "url", "events", "description", "secret"],
  workflows: ["id", "name", "trigger", "conditions", "actions", "publish"]
} as const satisfies { readonly [Section in Exclude<keyof Declaration, "workspace">]: ReadonlyArray<string> }

const nameForm = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/
const nameMessage = "must be 1 to 63 letters, digits, dots, dashes and underscores, the first a letter or digit"

/** Maximum number of parts of a section, and of names in a list. */
const maxParts = 1_000

/** Problems that need no stored data. The declaration may come from untyped JavaScript. */
export const declarationProblems = (declaration: unknown, options: unknown): ReadonlyArray<SetupProblem> => {
  const problems: Array<SetupProblem> = []
  const wrong = (part: string, message: string, field: string | null = null) =>
    void problems.push({ part, field, message })
  const known = (part: string, value: GivenOptions, fields: ReadonlyArray<string>) => {
    for (const field of Object.keys(value)) if (!fields.includes(field)) wrong(part, "is unknown", field)
  }
  const names = (part: string, value: unknown, field: string): ReadonlyArray<string> => {
    if (value === undefined) return []
    if (Array.isArray(value) && value.every((name) => typeof name === "string")) {
      if (value.length > maxParts) wrong(part, `must have at most ${maxParts} names`, field)
      if (new Set(value).size < value.length) wrong(part, "must have each name once", field)
      return value
    }
    wrong(part, "must be a list of names", field)
    return []
  }

  if (options !== undefined) checkOptions(options, wrong, known)
  if (!areOptions(declaration)) {
    wrong("declaration", "must be an object")
    return problems
  }
  known("declaration", declaration, ["workspace", ...Object.keys(fieldsOf)])
  checkWorkspace(declaration.workspace, wrong, known)

  const sections = Object.fromEntries(
    Object.entries(fieldsOf).map(([section, fields]) => {
      const given = declaration[section] ?? {}
      if (!areOptions(given)) {
        wrong(section, "must be an object")
        return [section, {}]
      }
      const parts = Object.entries(given)
      if (parts.length > maxParts) wrong(section, `must have at most ${maxParts} parts`)
      for (const [name, part] of parts) {
        if (!nameForm.test(name)) wrong(`${section}.${name}`, nameMessage)
        if (!areOptions(part)) wrong(`${section}.${name}`, "must be an object")
        else {
          known(`${section}.${name}`, part, fields)
          if (part.id !== undefined && typeof part.id !== "string") wrong(`${section}.${name}`, "must be an id", "id")
        }
      }
      return [section, Object.fromEntries(parts.filter(([, part]) => areOptions(part)))]
    })
  ) as { readonly [section: string]: { readonly [name: string]: GivenOptions } }

  const { applications = {}, connections = {}, endpoints = {}, workflows = {} } = sections
  for (const [name, application] of Object.entries(applications)) {
    const part = `applications.${name}`
    for (const connection of names(part, application.connections, "connections")) {
      if (!Object.hasOwn(connections, connection))
        wrong(part, `names ${connection}, which is not declared`, "connections")
    }
    for (const key of names(part, application.keys, "keys")) if (!nameForm.test(key)) wrong(part, nameMessage, "keys")
  }
  for (const [name, { application }] of Object.entries(endpoints)) {
    if (typeof application !== "string" || !Object.hasOwn(applications, application)) {
      wrong(`endpoints.${name}`, "must be the name of a declared application", "application")
    }
  }
  for (const [name, { publish = true }] of Object.entries(workflows)) {
    if (typeof publish !== "boolean") wrong(`workflows.${name}`, "must be true or false", "publish")
  }
  return problems
}

type Wrong = (part: string, message: string, field?: string) => void
type Known = (part: string, value: GivenOptions, fields: ReadonlyArray<string>) => void

const checkOptions = (options: unknown, wrong: Wrong, known: Known) => {
  if (!areOptions(options)) return wrong("options", "must be an object")
  const { onDrift = "apply", prune = false } = options as SetupOptions
  known("options", options, ["onDrift", "prune"])
  if (!["apply", "list", "refuse"].includes(onDrift)) wrong("options", "must be apply, list or refuse", "onDrift")
  if (typeof prune !== "boolean") wrong("options", "must be true or false", "prune")
}

const checkWorkspace = (workspace: unknown, wrong: Wrong, known: Known) => {
  const name = areOptions(workspace) ? workspace.name : workspace
  if (areOptions(workspace)) known("workspace", workspace, ["name", "id", "default_language", "timezone"])
  if (typeof name !== "string" || name.trim() === "" || name.length > 255) {
    wrong("workspace", "must be a name of 1 to 255 characters")
  }
}
