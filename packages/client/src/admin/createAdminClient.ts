import type { ClientOptions, CreateOptions, RequestOptions } from "../ClientOptions.js"
import { type AdminCalls, adminRoutes } from "../generated/admin.js"
import { fileBody } from "../resources/fileBody.js"
import { eachRow, segment } from "../resources/lists.js"
import { type Call, makeCall } from "../transport/Call.js"
import { apiKeyCredential } from "../transport/Credential.js"
import { checkOptions } from "../transport/checkOptions.js"
import { headerText, settingsOf } from "../transport/Settings.js"
import type { Timing } from "../transport/Timing.js"

/** Options of {@link createAdminClient}. */
export interface AdminOptions extends ClientOptions {
  /** URL of the service, for example `https://messaging.example`, with or without the version prefix `/admin/v1`. */
  readonly baseUrl: string
  /** The admin token of the service. It grants all rights: do not send it to browsers. */
  readonly token: string
  /** Your name in the audit log (docs/reference/administration.md#actor). Default: none. */
  readonly actor?: string | undefined
}

/**
 * Client of the admin API. Inputs and resources have wire names. Every call fails with a `ParleyError`. Calls are
 * retried like those of the public client: a POST under its idempotency key, a PATCH or DELETE without one. If an
 * earlier attempt of a PATCH or DELETE may have had its effect, a repetition that is refused with 404 or 409 fails with
 * the error of that attempt: the outcome is unknown.
 */
export interface AdminClient extends AdminCalls {}

/**
 * Creates a client of the admin API. It holds no connections and needs no close. Throws a `TypeError` if an option is
 * invalid or unknown.
 *
 * @example
 * ```ts
 * const admin = createAdminClient({ baseUrl: "https://messaging.example", token })
 * const { data: workspace } = await admin.workspaces.create({ name: "Acme" })
 * for await (const application of admin.applications.listAll({ workspace_id: workspace.id }))
 * console.log(application.name)
 * ```
 */
export const createAdminClient = (options: AdminOptions): AdminClient => {
  checkOptions("createAdminClient takes one object with all options", options, optionNames)
  return makeAdminClient(options)
}

const optionNames: ReadonlyArray<string> = Object.keys({
  baseUrl: true,
  token: true,
  actor: true,
  fetch: true,
  timeoutMs: true,
  maxRetries: true,
  userAgent: true,
  shutdownSignal: true
} satisfies { readonly [Name in keyof Required<AdminOptions>]: true })

/** {@link createAdminClient} with a clock and random source for tests. */
export const makeAdminClient = ({ baseUrl, token, actor, ...options }: AdminOptions, timing?: Timing): AdminClient => {
  const settings = settingsOf(baseUrl, options, timing, "/admin/v1")
  const headers = actor === undefined ? {} : { "x-actor": headerText("actor", actor, 100) }
  const call = makeCall({ ...settings, headers: { ...settings.headers, ...headers } }, apiKeyCredential(token, "token"))
  // The generated types and the generated routes have the same names.
  return Object.fromEntries(
    Object.entries(adminRoutes).map(([group, routes]) => [
      group,
      Object.fromEntries(Object.entries(routes).flatMap(([name, route]) => callsOf(call, name, route)))
    ])
  ) as unknown as AdminClient
}

interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  readonly path: string
  readonly input: "body" | "query" | "none" | "file"
  readonly isPage: boolean
}

/** The method of a route, and for a page the one of all rows. Arguments: ids of the path, a file, input, options. */
const callsOf = (call: Call, name: string, { input, isPage, method, path }: Route) => {
  const idCount = path.split("{").length - 1
  const read = (given: ReadonlyArray<unknown>) => {
    const ids = given.slice(0, idCount)
    const [first, second] = given.slice(input === "file" ? idCount + 1 : idCount)
    const next = ids.values()
    return {
      path: path.replace(/\{\w+\}/g, () => segment(next.next().value as string)),
      body: (input === "none" ? {} : (first ?? {})) as object,
      options: ((input === "none" ? first : second) ?? {}) as CreateOptions & RequestOptions
    }
  }
  const one = async (...given: ReadonlyArray<unknown>): Promise<unknown> => {
    const { path, body, options } = read(given)
    if (input === "file") {
      const { body: file, fileName } = await fileBody({ file: given[idCount] as Uint8Array | Blob })
      return call.upload(path, { file_name: fileName, ...body }, file, options)
    }
    switch (method) {
      case "GET":
        return call.get(path, body, options)
      case "POST":
        return call.post(path, body, options)
      case "PATCH":
        return call.patch(path, body, options)
      case "DELETE":
        return call.delete(path, options)
    }
  }
  const all = (...given: ReadonlyArray<unknown>) => {
    const { path, body, options } = read(given)
    return eachRow(call, path, body, options)
  }
  return isPage ? [[name, one] as const, [`${name}All`, all] as const] : [[name, one] as const]
}
