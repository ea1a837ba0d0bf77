"""A person with a browser: signs in at the pages of oidc-provider, up to the way back to the client.

    browser = Browser("alice")
    back = browser.authorize(authorization_url)     # http://127.0.0.1:4711/callback?code=...
    page = browser.visit(back)                      # delivered, or not, or tampered with before
"""
import html.parser
import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request

LONGEST_WAIT = 120


class Page:
    def __init__(self, address, status, headers, body):
        self.address, self.status, self.headers, self.body = address, status, headers, body

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    @property
    def leads_to(self):
        """Where a redirect goes; None for a page."""
        place = self.headers.get("Location")
        return urllib.parse.urljoin(self.address, place) if place and 300 <= self.status < 400 else None


class FormReader(html.parser.HTMLParser):
    """The first form of a page."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields, self.links = None, {}, []
        self.feed(page.text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = values.get("action")
        elif tag == "input" and values.get("name"):
            self.fields[values["name"]] = values.get("value", "")
        elif tag == "a":
            self.links.append(values.get("href", ""))


class StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


class Browser:
    def __init__(self, login="alice"):
        self.login = login
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), StayHere,
                                                  urllib.request.HTTPCookieProcessor(self.cookies))

    def visit(self, address, form=None, headers=None):
        """One request; redirects are not followed."""
        data = None if form is None else urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(address, data, headers or {})
        try:
            answer = self.opener.open(request, timeout=LONGEST_WAIT)
        except urllib.error.HTTPError as failure:
            answer = failure
        with answer:
            return Page(address, answer.status, answer.headers, answer.read())

    def settle(self, page):
        """Follows redirects on the same host. Returns the page, or the redirect that leads away."""
        home = urllib.parse.urlsplit(page.address).netloc
        while page.leads_to and urllib.parse.urlsplit(page.leads_to).netloc == home:
            page = self.visit(page.leads_to)
        return page

    def submit(self, page, **extra):
        form = FormReader(page)
        known = {"login": self.login, "password": "any"}
        fields = {name: known.get(name, value) for name, value in form.fields.items()}
        return self.settle(self.visit(urllib.parse.urljoin(page.address, form.action), {**fields, **extra}))

    def fill(self, page):
        """Fills in forms until there is none, or the way leads away."""
        while not page.leads_to and FormReader(page).action:
            page = self.submit(page)
        return page

    def authorize(self, address):
        """Signs in and agrees. Returns the way back to the client."""
        page = self.fill(self.settle(self.visit(address)))
        if not page.leads_to:
            raise AssertionError(f"no way back from {page.address}: {page.status} {page.text[-600:]}")
        return page.leads_to

    def refuse(self, address):
        """Does not agree. Returns the way back to the client, with the error."""
        page = self.settle(self.visit(address))
        abort = next(link for link in FormReader(page).links if link.endswith("/abort"))
        return self.settle(self.visit(urllib.parse.urljoin(page.address, abort))).leads_to

    def device(self, address, code):
        """Enters the code that a device shows, and agrees."""
        page = self.confirm_page(address, code)
        page = self.fill(page)
        if page.status != 200 or "Success" not in page.text:
            raise AssertionError(f"{page.status} {page.text[-600:]}")
        return page

    def refuse_device(self, address, code):
        return self.submit(self.confirm_page(address, code), abort="yes")

    def confirm_page(self, address, code):
        return self.submit(self.settle(self.visit(address)), user_code=code)
