// The names of the API without an import. In tsconfig.json: "types": ["@goondan/types/v1alpha1/global"].
import type * as goondan from './index';

declare global {
  type ExtensionApi = goondan.ExtensionApi;
  type JsonArray = goondan.JsonArray;
  type JsonObject = goondan.JsonObject;
  type JsonValue = goondan.JsonValue;
  type ToolContext = goondan.ToolContext;
  type ToolHandler = goondan.ToolHandler;
  type ToolResult = goondan.ToolResult;
}
