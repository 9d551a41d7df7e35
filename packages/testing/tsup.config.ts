export { library as default } from "../../.ci/library.js"
