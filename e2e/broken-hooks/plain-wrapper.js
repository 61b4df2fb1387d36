// Broken on purpose: a function in fetch's place and a bare Response in the response's, as most hooks do it.
{
  const native = fetch;
  window.fetch = async (...args) => {
    const response = await native(...args);
    return response.body ? new Response(response.body, response) : response;
  };
}
