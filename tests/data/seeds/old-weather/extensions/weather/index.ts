// extensions/weather/index.ts
export async function register(api: ExtensionApi): Promise<void> {
  // 동적 Tool 등록
  api.tools.register({
    name: 'weather.get',
    description: '특정 도시의 현재 날씨 정보를 조회합니다',
    parameters: {
      type: 'object',
      properties: {
        city: {
          type: 'string',
          description: '도시 이름 (예: Seoul, Tokyo)',
        },
        units: {
          type: 'string',
          enum: ['metric', 'imperial'],
          description: '온도 단위',
        },
      },
      required: ['city'],
    },
    handler: async (ctx, input) => {
      const city = String(input.city);
      const units = String(input.units || 'metric');

      const response = await fetch(
        `https://api.weather.example/v1/current?city=${encodeURIComponent(city)}&units=${units}`
      );

      if (!response.ok) {
        throw new Error(`날씨 API 오류: ${response.status}`);
      }

      return await response.json();
    },
  });
}
