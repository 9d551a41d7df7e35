// Loaded into a host by `node --import`: its calls of the Graph API go to the vendor of the chaos run, by
// CHAOS_VENDOR_URL.
const graph = "https://graph.facebook.com"
const real = globalThis.fetch
globalThis.fetch = (input, init) => {
  const url = String(input)
  return url.startsWith(graph) ? real(process.env.CHAOS_VENDOR_URL + url.slice(graph.length), init) : real(input, init)
}
