import { headerOf, type Incoming, targetOf } from "./Incoming.js"
import type { Interpreter } from "./Interpreter.js"

/**
 * Serves below a path that the framework leaves in the URL, for example `/messaging`: strips it from requests and adds
 * it to links. Requests whose mount path the framework already stripped, as Express does, are unchanged.
 */
export const mounted = (interpreter: Interpreter, mountPath: string): Interpreter => ({
  ...interpreter,
  answer: (incoming) => interpreter.answer(under(incoming, mountPath))
})

const under = (incoming: Incoming, mountPath: string): Incoming => {
  const base = incoming.base ?? `http://${headerOf(incoming, "host")}`
  if (base.endsWith(mountPath)) return incoming
  const { path, search } = targetOf(incoming.url)
  const rest = path.startsWith(`${mountPath}/`) ? path.slice(mountPath.length) : path
  return { ...incoming, url: search === "" ? rest : `${rest}?${search}`, base: `${base}${mountPath}` }
}
